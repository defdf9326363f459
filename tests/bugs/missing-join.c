// expect: assertion
// at: main
// strategy: mixed random pct:3
// flags: -pthread

/* Order violation: the loop that joins starts at 1, so nobody joins the first worker. */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

#define WORKERS 3

static volatile int part[WORKERS];

static void *worker(void *number)
{
	long me = (long)number;

	part[me] = 10 + (int)me;
	return NULL;
}

int main(void)
{
	pthread_t thread[WORKERS];
	int sum = 0;

	for (long i = 0; i < WORKERS; i++)
		pthread_create(&thread[i], NULL, worker, (void *)i);
	for (int i = 1; i < WORKERS; i++)
		pthread_join(thread[i], NULL);
	for (int i = 0; i < WORKERS; i++)
		sum += part[i];
	assert(sum == 33); /* HERE */
	puts("all parts are there");
	return 0;
}
