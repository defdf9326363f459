// allowed: r1=0 r2=0 y=1
// allowed: r1=0 r2=0 y=2
// allowed: r1=0 r2=1 y=1
// allowed: r1=0 r2=1 y=2
// allowed: r1=1 r2=0 y=1
// allowed: r1=1 r2=0 y=2
// allowed: r1=1 r2=1 y=1
// allowed: r1=1 r2=1 y=2
// races: none

/*
 * Z6.4 (overwrites, reads before, reads before): overwriting a release store does not synchronise with it, so that the
 * cycle is possible.
 */
#include "litmus.h"

static atomic_int x, y, z;
static int r1, r2;

THREAD(0)
{
	STORE(x, 1, release);
	STORE(y, 1, release);
}

THREAD(1)
{
	STORE(y, 2, release);
	r1 = LOAD(z, acquire);
}

THREAD(2)
{
	STORE(z, 1, release);
	r2 = LOAD(x, acquire);
}

MAIN("r1=%d r2=%d y=%d", r1, r2, y)
