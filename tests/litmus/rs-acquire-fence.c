// allowed: r1=0 r2=0
// allowed: r1=1 r2=0
// allowed: r1=2 r2=1
// forbidden: r1=2 r2=0
// races: none

/* A relaxed read-modify-write reads the sequence, an acquire fence after it synchronises. */
#include "litmus.h"

static int message;
static atomic_int x;
static int r1, r2;

THREAD(0)
{
	message = 1;
	STORE(x, 1, release);
}

THREAD(1) { FETCH_ADD(x, 1, relaxed); }

THREAD(2)
{
	r1 = FETCH_ADD(x, 0, relaxed);
	FENCE(acquire);
	if (r1 == 2)
		r2 = message;
}

MAIN("r1=%d r2=%d", r1, r2)
