// allowed: r1=0 x=1
// allowed: r1=0 x=2
// allowed: r1=1 x=1
// forbidden: r1=1 x=2
// races: none

/* S with all accesses in the one order S. */
#include "litmus.h"

static atomic_int x, y;
static int r1;

THREAD(0)
{
	x = 2;
	y = 1;
}

THREAD(1)
{
	r1 = y;
	x = 1;
}

MAIN("r1=%d x=%d", r1, x)
