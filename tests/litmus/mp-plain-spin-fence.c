// allowed: r1=1 r2=1
// forbidden: r1=1 r2=0
// races: none

/* The reader waits with relaxed loads, and one acquire fence follows the last. */
#include "litmus.h"

static int message;
static atomic_int flag;
static int r1, r2;

THREAD(0)
{
	message = 1;
	STORE(flag, 1, release);
}

THREAD(1)
{
	while (!(r1 = LOAD(flag, relaxed)))
		sched_yield();
	FENCE(acquire);
	r2 = message;
}

MAIN("r1=%d r2=%d", r1, r2)
