// allowed: r1=0 r2=0
// allowed: r1=0 r2=1
// allowed: r1=1 r2=1
// forbidden: r1=1 r2=0
// races: none

/* Coherence: the second of two loads of one object sees nothing older than the first. */
#include "litmus.h"

static atomic_int x;
static int r1, r2;

THREAD(0) { STORE(x, 1, relaxed); }

THREAD(1)
{
	r1 = LOAD(x, relaxed);
	r2 = LOAD(x, relaxed);
}

MAIN("r1=%d r2=%d", r1, r2)
