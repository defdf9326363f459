// allowed: r1=0 r2=0
// allowed: r1=0 r2=1
// allowed: r1=1 r2=0
// allowed: r1=1 r2=1
// races: none

/* One of the four accesses, a load, is not in S: the guarantee is lost. */
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
	r2 = LOAD(x, acquire);
}

MAIN("r1=%d r2=%d", r1, r2)
