// allowed: r1=0 r2=1
// allowed: r1=1 r2=0
// allowed: r1=1 r2=1
// forbidden: r1=0 r2=0
// races: none

/* Read-modify-writes of one common object between store and load: the second of them synchronises with the first. */
#include "litmus.h"

static atomic_int x, y, z;
static int r1, r2;

THREAD(0)
{
	STORE(x, 1, relaxed);
	FETCH_ADD(z, 1, acq_rel);
	r1 = LOAD(y, relaxed);
}

THREAD(1)
{
	STORE(y, 1, relaxed);
	FETCH_ADD(z, 1, acq_rel);
	r2 = LOAD(x, relaxed);
}

MAIN("r1=%d r2=%d", r1, r2)
