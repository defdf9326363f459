/* The order of the two threads decides what is printed, with a lock too; without one an update can also be lost. */
#include <pthread.h>
#include <stdio.h>

static int x = 1;

static void *change(void *arg)
{
	int was = x; /* reads */
	x = was * 10 + *(int *)arg; /* writes */
	return arg;
}

int main(void)
{
	int number[] = {2, 3};
	pthread_t t[2];

	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, change, &number[i]);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	printf("%d\n", x);
	return 0;
}
