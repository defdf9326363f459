// allowed: done
// races: marked

/* Peterson's algorithm with release and acquire: both threads read old values and enter. */
#include "litmus.h"

static atomic_int wants[2], turn;
static int count;

static void work(int me)
{
	STORE(wants[me], 1, release);
	STORE(turn, !me, release);
	while (LOAD(wants[!me], acquire) && LOAD(turn, acquire) == !me)
		sched_yield();
	count++; // race: A
	STORE(wants[me], 0, release);
}

THREAD(0) { work(0); }

THREAD(1) { work(1); }

MAIN("done")
