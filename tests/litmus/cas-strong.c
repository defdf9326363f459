// allowed: r1=0 r2=1 x=2
// allowed: r1=1 r2=0 x=1
// forbidden: r1=1 r2=1 x=1
// forbidden: r1=1 r2=1 x=2
// forbidden: r1=0 r2=0 x=0
// races: none

/* Of two strong compare-and-swaps from the same value exactly one succeeds. */
#include "litmus.h"

static atomic_int x;
static int r1, r2;

THREAD(0)
{
	int old = 0;

	r1 = CAS(x, &old, 1, relaxed, relaxed);
}

THREAD(1)
{
	int old = 0;

	r2 = CAS(x, &old, 2, relaxed, relaxed);
}

MAIN("r1=%d r2=%d x=%d", r1, r2, x)
