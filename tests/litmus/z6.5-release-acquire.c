// allowed: r1=0 y=1 z=1
// allowed: r1=0 y=1 z=2
// allowed: r1=0 y=2 z=1
// allowed: r1=0 y=2 z=2
// allowed: r1=1 y=1 z=1
// allowed: r1=1 y=1 z=2
// allowed: r1=1 y=2 z=1
// allowed: r1=1 y=2 z=2
// races: none

/*
 * Z6.5 (overwrites, overwrites, reads before): overwriting a release store does not synchronise with it, so that the
 * cycle is possible.
 */
#include "litmus.h"

static atomic_int x, y, z;
static int r1;

THREAD(0)
{
	STORE(x, 1, release);
	STORE(y, 1, release);
}

THREAD(1)
{
	STORE(y, 2, release);
	STORE(z, 1, release);
}

THREAD(2)
{
	STORE(z, 2, release);
	r1 = LOAD(x, acquire);
}

MAIN("r1=%d y=%d z=%d", r1, y, z)
