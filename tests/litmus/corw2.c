// allowed: r1=0 x=1
// allowed: r1=0 x=2
// allowed: r1=2 x=1
// forbidden: r1=2 x=2
// forbidden: r1=1 x=1
// races: none

/* Coherence: a store comes after what its thread has read before. */
#include "litmus.h"

static atomic_int x;
static int r1;

THREAD(0)
{
	r1 = LOAD(x, relaxed);
	STORE(x, 1, relaxed);
}

THREAD(1) { STORE(x, 2, relaxed); }

MAIN("r1=%d x=%d", r1, x)
