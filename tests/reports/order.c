/* A use before the object exists: a lock around each side does not help, as executions with whole turns show. */
#include <pthread.h>
#include <stdio.h>

static int size;

static void *use(void *arg)
{
	printf("%d\n", size); /* uses */
	return arg;
}

static void *make(void *arg)
{
	size = 4; /* makes */
	return arg;
}

int main(void)
{
	void *(*const start[])(void *) = {make, use};
	pthread_t t[2];

	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, start[i], NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	return 0;
}
