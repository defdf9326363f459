// allowed: r1=0 r2=0
// allowed: r1=0 r2=1
// allowed: r1=1 r2=0
// forbidden: r1=1 r2=1
// races: none

/* Load buffering: the standard allows both loads to see the later stores; here a load reads only executed stores. */
#include "litmus.h"

static atomic_int x, y;
static int r1, r2;

THREAD(0)
{
	r1 = LOAD(x, relaxed);
	STORE(y, 1, relaxed);
}

THREAD(1)
{
	r2 = LOAD(y, relaxed);
	STORE(x, 1, relaxed);
}

MAIN("r1=%d r2=%d", r1, r2)
