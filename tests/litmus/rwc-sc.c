// allowed: r1=0 r2=0 r3=0
// allowed: r1=0 r2=0 r3=1
// allowed: r1=0 r2=1 r3=0
// allowed: r1=0 r2=1 r3=1
// allowed: r1=1 r2=0 r3=1
// allowed: r1=1 r2=1 r3=0
// allowed: r1=1 r2=1 r3=1
// forbidden: r1=1 r2=0 r3=0
// races: none

/* Read to write causality in S. */
#include "litmus.h"

static atomic_int x, y;
static int r1, r2, r3;

THREAD(0) { x = 1; }

THREAD(1)
{
	r1 = x;
	r2 = y;
}

THREAD(2)
{
	y = 1;
	r3 = x;
}

MAIN("r1=%d r2=%d r3=%d", r1, r2, r3)
