// allowed: r1=0 r2=1
// allowed: r1=0 r2=2
// allowed: r1=1 r2=0
// allowed: r1=1 r2=1
// allowed: r1=1 r2=2
// forbidden: r1=0 r2=0
// races: none

/* After the last store in S, a load in S can read it or the relaxed store that follows it (p3). */
#include "litmus.h"

static atomic_int x, y;
static int r1, r2;

THREAD(0)
{
	x = 1;
	STORE(x, 2, relaxed);
	r1 = y;
}

THREAD(1)
{
	y = 1;
	r2 = x;
}

MAIN("r1=%d r2=%d", r1, r2)
