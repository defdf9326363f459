// allowed: count=2
// forbidden: count=1
// races: none

/* Peterson's algorithm. */
#include "litmus.h"

static atomic_int wants[2], turn;
static int count;

static void work(int me)
{
	STORE(wants[me], 1, seq_cst);
	STORE(turn, !me, seq_cst);
	while (LOAD(wants[!me], seq_cst) && LOAD(turn, seq_cst) == !me)
		sched_yield();
	count++;
	STORE(wants[me], 0, seq_cst);
}

THREAD(0) { work(0); }

THREAD(1) { work(1); }

MAIN("count=%d", count)
