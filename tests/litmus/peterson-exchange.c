// allowed: count=2
// forbidden: count=1
// races: none

/* Peterson's algorithm with one exchange: the second thread that gives the turn away has synchronised with the first. */
#include "litmus.h"

static atomic_int wants[2], turn;
static int count;

static void work(int me)
{
	STORE(wants[me], 1, release);
	EXCHANGE(turn, !me, acq_rel);
	while (LOAD(wants[!me], acquire) && LOAD(turn, acquire) == !me)
		sched_yield();
	count++;
	STORE(wants[me], 0, release);
}

THREAD(0) { work(0); }

THREAD(1) { work(1); }

MAIN("count=%d", count)
