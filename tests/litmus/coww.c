// allowed: r1=0 x=2
// allowed: r1=1 x=2
// allowed: r1=2 x=2
// forbidden: r1=0 x=1
// forbidden: r1=1 x=1
// forbidden: r1=2 x=1
// races: none

/* Coherence: two stores of one thread stay in order, for a late reader and for one that reads meanwhile. */
#include "litmus.h"

static atomic_int x;
static int r1;

THREAD(0)
{
	STORE(x, 1, relaxed);
	STORE(x, 2, relaxed);
}

THREAD(1) { r1 = LOAD(x, relaxed); }

MAIN("r1=%d x=%d", r1, x)
