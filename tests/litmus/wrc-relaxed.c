// allowed: r1=0 r2=0 r3=0
// allowed: r1=0 r2=0 r3=1
// allowed: r1=0 r2=1 r3=0
// allowed: r1=0 r2=1 r3=1
// allowed: r1=1 r2=0 r3=0
// allowed: r1=1 r2=0 r3=1
// allowed: r1=1 r2=1 r3=0
// allowed: r1=1 r2=1 r3=1
// races: none

/* Write to read causality, without any order. */
#include "litmus.h"

static atomic_int x, y;
static int r1, r2, r3;

THREAD(0) { STORE(x, 1, relaxed); }

THREAD(1)
{
	r1 = LOAD(x, relaxed);
	STORE(y, 1, relaxed);
}

THREAD(2)
{
	r2 = LOAD(y, relaxed);
	r3 = LOAD(x, relaxed);
}

MAIN("r1=%d r2=%d r3=%d", r1, r2, r3)
