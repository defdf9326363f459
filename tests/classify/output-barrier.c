// flags: -pthread
// race A: verdict=output-differs

/* The neighbour's value is read before the barrier, not after it. */
#include <stdio.h>

#include "../races/threads.h"

static pthread_barrier_t barrier;
static int value[2], sum[2];

static void *work(void *number)
{
	long n = (long)number;

	value[n] = 10 + (int)n; // race A
	sum[n] = value[1 - n];  // race A
	pthread_barrier_wait(&barrier);
	sum[n] += value[n];
	return NULL;
}

int main(void)
{
	pthread_barrier_init(&barrier, NULL, 2);
	together(work, work);
	printf("%d %d\n", sum[0], sum[1]);
	return 0;
}
