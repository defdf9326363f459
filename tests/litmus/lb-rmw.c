// allowed: r1=0 r2=0
// allowed: r1=0 r2=1
// allowed: r1=1 r2=0
// forbidden: r1=1 r2=1
// races: none

/* Load buffering by read-modify-writes. */
#include "litmus.h"

static atomic_int x, y;
static int r1, r2;

THREAD(0)
{
	r1 = FETCH_ADD(x, 0, relaxed);
	STORE(y, 1, relaxed);
}

THREAD(1)
{
	r2 = FETCH_ADD(y, 0, relaxed);
	STORE(x, 1, relaxed);
}

MAIN("r1=%d r2=%d", r1, r2)
