// allowed: r1=0 r2=0
// allowed: r1=0 r2=1
// allowed: r1=1 r2=0
// allowed: r1=1 r2=1
// races: none

/*
 * A failed strong compare-and-swap is a load, and may read an old value: it fails although the thread sees the flag that
 * was set later.
 */
#include "litmus.h"

static atomic_int x, y;
static int r1, r2;

THREAD(0)
{
	STORE(x, 1, relaxed);
	STORE(y, 1, relaxed);
}

THREAD(1)
{
	int old = 1;

	r1 = LOAD(y, relaxed);
	r2 = CAS(x, &old, 2, relaxed, relaxed);
}

MAIN("r1=%d r2=%d", r1, r2)
