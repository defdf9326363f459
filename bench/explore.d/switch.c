/*
 * switch THREADS YIELDS: THREADS threads (main is none of them) that give way with sched_yield, YIELDS times
 * together.  With two threads under control every yield hands over; with one it comes straight back.  The clock
 * inside is virtual, so the time is taken outside: two runs that differ in YIELDS.
 */
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

enum { MAX_THREADS = 16 };

static void *yields(void *arg)
{
	for (long n = *(const long *)arg; n > 0; n--)
		sched_yield();
	return NULL;
}

int main(int argc, char **argv)
{
	long threads = argc == 3 ? atol(argv[1]) : 0, each;
	pthread_t thread[MAX_THREADS];

	if (threads < 1 || threads > MAX_THREADS) {
		fprintf(stderr, "usage: switch THREADS YIELDS (at most %d threads)\n", MAX_THREADS);
		return 2;
	}
	each = atol(argv[2]) / threads;
	for (long i = 0; i < threads; i++)
		if (pthread_create(&thread[i], NULL, yields, &each))
			return 1;
	for (long i = 0; i < threads; i++)
		pthread_join(thread[i], NULL);
	return 0;
}
