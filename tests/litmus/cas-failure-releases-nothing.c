// allowed: r1=0
// allowed: r1=1
// races: marked

/* A failed compare-and-swap stores nothing, and so releases nothing. */
#include "litmus.h"

static int message;
static atomic_int x;
static int r1;

THREAD(0)
{
	int old = 7;

	message = 1; // race: A
	CAS(x, &old, 8, release, relaxed);
	STORE(x, 1, relaxed);
}

THREAD(1)
{
	r1 = LOAD(x, acquire);
	if (r1 == 1)
		USE(message); // race: A
}

MAIN("r1=%d", r1)
