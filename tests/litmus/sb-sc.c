// allowed: r1=0 r2=1
// allowed: r1=1 r2=0
// allowed: r1=1 r2=1
// forbidden: r1=0 r2=0
// races: none

/* All four in the one order S: one of the loads comes after both stores. */
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

MAIN("r1=%d r2=%d", r1, r2)
