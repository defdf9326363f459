// allowed: r1=0 r2=0
// allowed: r1=0 r2=1
// allowed: r1=1 r2=0
// allowed: r1=1 r2=1
// races: none

/* Exchange with acquire and release does not order a later load either. */
#include "litmus.h"

static atomic_int x, y;
static int r1, r2;

THREAD(0)
{
	EXCHANGE(x, 1, acq_rel);
	r1 = LOAD(y, acquire);
}

THREAD(1)
{
	EXCHANGE(y, 1, acq_rel);
	r2 = LOAD(x, acquire);
}

MAIN("r1=%d r2=%d", r1, r2)
