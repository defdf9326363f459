// allowed: r1=0 r2=1 r3=1
// allowed: r1=0 r2=2 r3=1
// allowed: r1=1 r2=2 r3=0
// forbidden: r1=0 r2=0 r3=1
// forbidden: r1=1 r2=1 r3=0
// forbidden: r1=0 r2=1 r3=0
// races: none

/* What a read-modify-write wrote is newer than what it read. */
#include "litmus.h"

static atomic_int x;
static int r1, r2, r3;

THREAD(0)
{
	r1 = FETCH_ADD(x, 1, relaxed);
	r2 = LOAD(x, relaxed);
}

THREAD(1) { r3 = FETCH_ADD(x, 1, relaxed); }

MAIN("r1=%d r2=%d r3=%d", r1, r2, r3)
