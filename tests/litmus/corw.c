// allowed: r1=0 r2=0
// allowed: r1=0 r2=1
// forbidden: r1=1 r2=0
// forbidden: r1=1 r2=1
// races: none

/* Coherence: a load does not see the store that follows it. */
#include "litmus.h"

static atomic_int x;
static int r1, r2;

THREAD(0)
{
	r1 = LOAD(x, relaxed);
	STORE(x, 1, relaxed);
}

THREAD(1) { r2 = LOAD(x, relaxed); }

MAIN("r1=%d r2=%d", r1, r2)
