// allowed: r1=0 r2=1 x=1
// allowed: r1=0 r2=1 x=2
// allowed: r1=0 r2=2 x=1
// allowed: r1=0 r2=2 x=2
// allowed: r1=1 r2=0 x=1
// allowed: r1=1 r2=0 x=2
// allowed: r1=1 r2=1 x=1
// allowed: r1=1 r2=1 x=2
// allowed: r1=1 r2=2 x=1
// allowed: r1=1 r2=2 x=2
// forbidden: r1=0 r2=0 x=1
// forbidden: r1=0 r2=0 x=2
// races: none
// std: c11

/*
 * A load in S may read a relaxed store that the last store in S overwrites, if the relaxed store does not happen
 * before it (p3).
 */
#include "litmus.h"

static atomic_int x, y;
static int r1, r2;

THREAD(0)
{
	x = 1;
	r1 = y;
}

THREAD(1)
{
	y = 1;
	r2 = x;
}

THREAD(2) { STORE(x, 2, relaxed); }

MAIN("r1=%d r2=%d x=%d", r1, r2, x)
