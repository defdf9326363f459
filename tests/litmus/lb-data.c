// allowed: r1=0 r2=0
// forbidden: r1=1 r2=1
// races: none

/* Out of thin air: each thread stores what it read. */
#include "litmus.h"

static atomic_int x, y;
static int r1, r2;

THREAD(0)
{
	r1 = LOAD(x, relaxed);
	STORE(y, r1, relaxed);
}

THREAD(1)
{
	r2 = LOAD(y, relaxed);
	STORE(x, r2, relaxed);
}

MAIN("r1=%d r2=%d", r1, r2)
