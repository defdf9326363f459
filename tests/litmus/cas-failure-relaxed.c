// allowed: r1=0
// allowed: r1=1
// races: marked

/* A compare-and-swap that fails has the second order: here it does not acquire. */
#include "litmus.h"

static int message;
static atomic_int x;
static int r1;

THREAD(0)
{
	message = 1; // race: A
	STORE(x, 1, release);
}

THREAD(1)
{
	int old = 7;

	CAS(x, &old, 8, acq_rel, relaxed);
	r1 = old;
	if (r1 == 1)
		USE(message); // race: A
}

MAIN("r1=%d", r1)
