// allowed: r1=0 r2=0
// allowed: r1=0 r2=1
// allowed: r1=1 r2=0
// allowed: r1=1 r2=1
// races: none
// fragment: full

/*
 * Read-modify-writes as loads: each comes right before the other thread's store in modification order, and was executed
 * after it.
 */
#include "litmus.h"

static atomic_int x, y;
static int r1, r2;

THREAD(0)
{
	STORE(x, 1, relaxed);
	r1 = FETCH_ADD(y, 0, acq_rel);
}

THREAD(1)
{
	STORE(y, 1, relaxed);
	r2 = FETCH_ADD(x, 0, acq_rel);
}

MAIN("r1=%d r2=%d", r1, r2)
