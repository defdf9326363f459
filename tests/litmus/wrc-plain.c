// allowed: r1=0 r2=0
// allowed: r1=1 r2=1
// forbidden: r1=1 r2=0
// races: none

/* A plain message passes through a third thread. */
#include "litmus.h"

static int message;
static atomic_int x, y;
static int r1, r2;

THREAD(0)
{
	message = 1;
	STORE(x, 1, release);
}

THREAD(1)
{
	if (LOAD(x, acquire))
		STORE(y, 1, release);
}

THREAD(2)
{
	r1 = LOAD(y, acquire);
	if (r1)
		r2 = message;
}

MAIN("r1=%d r2=%d", r1, r2)
