// allowed: r1=0 r2=0 r3=0
// allowed: r1=0 r2=1 r3=1
// allowed: r1=1 r2=0 r3=1
// allowed: r1=1 r2=1 r3=1
// forbidden: r1=1 r2=0 r3=0
// forbidden: r1=0 r2=1 r3=0
// races: none

/* One release fence serves two relaxed stores, one acquire fence two relaxed loads. */
#include "litmus.h"

static int message;
static atomic_int x, y;
static int r1, r2, r3;

THREAD(0)
{
	message = 1;
	FENCE(release);
	STORE(x, 1, relaxed);
	STORE(y, 1, relaxed);
}

THREAD(1)
{
	r1 = LOAD(x, relaxed);
	r2 = LOAD(y, relaxed);
	FENCE(acquire);
	if (r1 || r2)
		r3 = message;
}

MAIN("r1=%d r2=%d r3=%d", r1, r2, r3)
