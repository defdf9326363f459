/* Only one of three orders gives this sum; other orders of whole turns fail as interrupted turns do. */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static int x;

static void *change(void *arg)
{
	int was = x; /* reads */
	x = was * 10 + *(int *)arg; /* writes */
	return arg;
}

int main(void)
{
	int number[] = {1, 2, 3};
	pthread_t t[3];

	for (int i = 0; i < 3; i++)
		pthread_create(&t[i], NULL, change, &number[i]);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	assert(x == 123);
	return 0;
}
