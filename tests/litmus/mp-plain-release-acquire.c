// allowed: r1=0 r2=0
// allowed: r1=1 r2=1
// forbidden: r1=1 r2=0
// races: none

/* A plain message behind a release store and an acquire load. */
#include "litmus.h"

static int message;
static atomic_int flag;
static int r1, r2;

THREAD(0)
{
	message = 1;
	STORE(flag, 1, release);
}

THREAD(1)
{
	r1 = LOAD(flag, acquire);
	if (!r1)
		return;
	r2 = message;
}

MAIN("r1=%d r2=%d", r1, r2)
