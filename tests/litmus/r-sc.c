// allowed: r1=0 y=1
// allowed: r1=1 y=1
// allowed: r1=1 y=2
// forbidden: r1=0 y=2
// races: none

/* R in S. */
#include "litmus.h"

static atomic_int x, y;
static int r1;

THREAD(0)
{
	x = 1;
	y = 1;
}

THREAD(1)
{
	y = 2;
	r1 = x;
}

MAIN("r1=%d y=%d", r1, y)
