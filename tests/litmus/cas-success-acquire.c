// allowed: r1=0 r2=0
// allowed: r1=1 r2=1
// forbidden: r1=1 r2=0
// races: none

/* A compare-and-swap with acquire that succeeds has acquired. */
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
	int old = 1;

	r1 = CAS(x, &old, 2, acquire, relaxed);
	if (r1)
		r2 = message;
}

MAIN("r1=%d r2=%d", r1, r2)
