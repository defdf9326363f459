// allowed: r1=0 r2=0
// allowed: r1=0 r2=1
// allowed: r1=1 r2=0
// allowed: r1=1 r2=1
// races: none

/* Read-modify-writes of two different objects order nothing. */
#include "litmus.h"

static atomic_int u, v, x, y;
static int r1, r2;

THREAD(0)
{
	STORE(x, 1, relaxed);
	FETCH_ADD(u, 1, acq_rel);
	r1 = LOAD(y, relaxed);
}

THREAD(1)
{
	STORE(y, 1, relaxed);
	FETCH_ADD(v, 1, acq_rel);
	r2 = LOAD(x, relaxed);
}

MAIN("r1=%d r2=%d", r1, r2)
