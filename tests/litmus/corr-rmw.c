// allowed: r1=0 r2=0
// allowed: r1=0 r2=1
// allowed: r1=1 r2=1
// forbidden: r1=1 r2=0
// races: none

/* A read-modify-write reads like a load: later loads see nothing older. */
#include "litmus.h"

static atomic_int x;
static int r1, r2;

THREAD(0) { STORE(x, 1, relaxed); }

THREAD(1)
{
	r1 = FETCH_ADD(x, 0, relaxed);
	r2 = LOAD(x, relaxed);
}

MAIN("r1=%d r2=%d", r1, r2)
