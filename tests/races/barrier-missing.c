// flags: -pthread

/* Two phases with a barrier after each; the barrier between writing and reading is missing. */
#include "threads.h"

static pthread_barrier_t barrier;
static int cell[2], sum[2];

static void *compute(void *number)
{
	long n = (long)number;

	pthread_barrier_wait(&barrier);
	cell[n] = (int)n; // race A
	sum[n] = cell[1 - n]; // race A
	pthread_barrier_wait(&barrier);
	return (void *)(long)(sum[0] + sum[1]);
}

int main(void)
{
	pthread_barrier_init(&barrier, NULL, 2);
	together(compute, compute);
	return 0;
}
