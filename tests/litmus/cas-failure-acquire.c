// allowed: r1=0 r2=0
// allowed: r1=1 r2=1
// forbidden: r1=1 r2=0
// races: none

/* A compare-and-swap that fails has the second order: here it acquires. */
#include "litmus.h"

static int message;
static atomic_int x;
static int r1, r2;

THREAD(0)
{
	message = 1;
	STORE(x, 1, release);
}

THREAD(1)
{
	int old = 7;

	CAS(x, &old, 8, acq_rel, acquire);
	r1 = old;
	if (r1 == 1)
		r2 = message;
}

MAIN("r1=%d r2=%d", r1, r2)
