// allowed: r1=0 y=1
// allowed: r1=0 y=2
// allowed: r1=1 y=1
// allowed: r1=1 y=2
// races: none

/* Overwriting a release store does not synchronise with it. */
#include "litmus.h"

static atomic_int x, y;
static int r1;

THREAD(0)
{
	STORE(x, 1, release);
	STORE(y, 1, release);
}

THREAD(1)
{
	STORE(y, 2, release);
	r1 = LOAD(x, acquire);
}

MAIN("r1=%d y=%d", r1, y)
