// allowed: r1=0
// allowed: r1=1
// races: marked

/* A compare-and-swap that succeeds with its relaxed order has not acquired. */
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
	int old = 1;

	r1 = CAS(x, &old, 2, relaxed, relaxed);
	if (r1)
		USE(message); // race: A
}

MAIN("r1=%d", r1)
