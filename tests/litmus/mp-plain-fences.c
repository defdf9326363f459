// allowed: r1=0 r2=0
// allowed: r1=1 r2=1
// forbidden: r1=1 r2=0
// races: none

/* A plain message behind two fences and a relaxed flag. */
#include "litmus.h"

static int message;
static atomic_int flag;
static int r1, r2;

THREAD(0)
{
	message = 1;
	FENCE(release);
	STORE(flag, 1, relaxed);
}

THREAD(1)
{
	r1 = LOAD(flag, relaxed);
	if (!r1)
		return;
	FENCE(acquire);
	r2 = message;
}

MAIN("r1=%d r2=%d", r1, r2)
