// allowed: x=2
// forbidden: x=1
// races: none

/* In a loop no increment is lost. */
#include "litmus.h"

static atomic_int x;

THREAD(0)
{
	int old = LOAD(x, relaxed);

	while (!CAS_WEAK(x, &old, old + 1, relaxed, relaxed))
		sched_yield();
}

THREAD(1)
{
	int old = LOAD(x, relaxed);

	while (!CAS_WEAK(x, &old, old + 1, relaxed, relaxed))
		sched_yield();
}

MAIN("x=%d", x)
