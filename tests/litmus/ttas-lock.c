// allowed: count=3
// forbidden: count=1
// forbidden: count=2
// races: none

/* A lock that reads before it swaps, for three threads. */
#include "litmus.h"

static atomic_int lock;
static int count;

static void work(void)
{
	int free;

	do {
		while (LOAD(lock, relaxed))
			sched_yield();
		free = 0;
	} while (!CAS_WEAK(lock, &free, 1, acquire, relaxed));
	count++;
	STORE(lock, 0, release);
}

THREAD(0) { work(); }

THREAD(1) { work(); }

THREAD(2) { work(); }

MAIN("count=%d", count)
