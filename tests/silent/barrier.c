// flags: -pthread

/* More rounds than threads: each writes its own cell, and after the barrier reads the others'. */
#include "../races/threads.h"

#define N 3

static pthread_barrier_t barrier;
static int cell[N], last[N];

static void *step(void *number)
{
	long n = (long)number;
	int serial = 0;

	for (int round = 1; round <= 5; round++) {
		cell[n] = round;
		serial += pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD;
		last[n] = cell[0] + cell[1] + cell[2];
		serial += pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD;
	}
	return (void *)(long)serial;
}

int main(void)
{
	pthread_barrier_init(&barrier, NULL, N);
	together(step, step, step);
	pthread_barrier_destroy(&barrier);
	return last[0] != 15 || last[1] != 15 || last[2] != 15;
}
