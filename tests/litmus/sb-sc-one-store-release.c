// allowed: r1=0 r2=0
// allowed: r1=0 r2=1
// allowed: r1=1 r2=0
// allowed: r1=1 r2=1
// races: none

/* One of the four accesses, a store, is not in S: the guarantee is lost. */
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
	STORE(y, 1, release);
	r2 = x;
}

MAIN("r1=%d r2=%d", r1, r2)
