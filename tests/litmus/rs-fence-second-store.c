// allowed: r1=0 r2=0
// allowed: r1=1 r2=0
// allowed: r1=2 r2=1
// forbidden: r1=2 r2=0
// races: none

/* After a release fence every later relaxed store heads a sequence. */
#include "litmus.h"

static int message;
static atomic_int x;
static int r1, r2;

THREAD(0)
{
	message = 1;
	FENCE(release);
	STORE(x, 1, relaxed);
	STORE(x, 2, relaxed);
}

THREAD(1)
{
	r1 = LOAD(x, acquire);
	if (r1 == 2)
		r2 = message;
}

MAIN("r1=%d r2=%d", r1, r2)
