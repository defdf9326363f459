// allowed: r1=0 r2=0 x=0
// allowed: r1=0 r2=1 x=2
// allowed: r1=1 r2=0 x=1
// forbidden: r1=1 r2=1 x=1
// forbidden: r1=1 r2=1 x=2
// races: none

/* Two weak compare-and-swaps: both may fail, both cannot succeed. */
#include "litmus.h"

static atomic_int x;
static int r1, r2;

THREAD(0)
{
	int old = 0;

	r1 = CAS_WEAK(x, &old, 1, relaxed, relaxed);
}

THREAD(1)
{
	int old = 0;

	r2 = CAS_WEAK(x, &old, 2, relaxed, relaxed);
}

MAIN("r1=%d r2=%d x=%d", r1, r2, x)
