// allowed: r1=0 r2=0
// allowed: r1=0 r2=1
// allowed: r1=1 r2=0
// allowed: r1=1 r2=1
// races: none

/* An acquire fence does not release: the second flag orders nothing. */
#include "litmus.h"

static atomic_int x, y, z;
static int r1, r2;

THREAD(0)
{
	STORE(x, 1, relaxed);
	STORE(y, 1, release);
}

THREAD(1)
{
	while (!LOAD(y, relaxed))
		sched_yield();
	FENCE(acquire);
	STORE(z, 1, relaxed);
}

THREAD(2)
{
	r1 = LOAD(z, acquire);
	r2 = LOAD(x, relaxed);
}

MAIN("r1=%d r2=%d", r1, r2)
