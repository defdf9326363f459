// allowed: r1=0 r2=0 x=1
// allowed: r1=0 r2=0 x=2
// allowed: r1=0 r2=1 x=1
// allowed: r1=0 r2=1 x=2
// allowed: r1=1 r2=0 x=1
// allowed: r1=1 r2=0 x=2
// allowed: r1=1 r2=1 x=1
// forbidden: r1=1 r2=1 x=2
// races: none

/* Z6.2 (reads from, reads from, overwrites): every link reads a release store, so that the last store comes last. */
#include "litmus.h"

static atomic_int x, y, z;
static int r1, r2;

THREAD(0)
{
	STORE(x, 2, release);
	STORE(y, 1, release);
}

THREAD(1)
{
	r1 = LOAD(y, acquire);
	STORE(z, 1, release);
}

THREAD(2)
{
	r2 = LOAD(z, acquire);
	STORE(x, 1, release);
}

MAIN("r1=%d r2=%d x=%d", r1, r2, x)
