// allowed: r1=-1 y=1
// allowed: r1=1 y=2
// forbidden: r1=0 y=2
// races: none

/* An acquiring exchange that overwrites a release store has read it. */
#include "litmus.h"

static atomic_int x, y;
static int r1;

THREAD(0)
{
	STORE(x, 1, relaxed);
	STORE(y, 1, release);
}

THREAD(1)
{
	int old = EXCHANGE(y, 2, acquire);

	r1 = old ? LOAD(x, relaxed) : -1;
}

MAIN("r1=%d y=%d", r1, y)
