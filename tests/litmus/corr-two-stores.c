// allowed: r1=0 r2=0
// allowed: r1=0 r2=1
// allowed: r1=0 r2=2
// allowed: r1=1 r2=1
// allowed: r1=1 r2=2
// allowed: r1=2 r2=2
// forbidden: r1=1 r2=0
// forbidden: r1=2 r2=0
// forbidden: r1=2 r2=1
// races: none

/* Each load may see an old value, but later loads see nothing older. */
#include "litmus.h"

static atomic_int x;
static int r1, r2;

THREAD(0)
{
	STORE(x, 1, relaxed);
	STORE(x, 2, relaxed);
}

THREAD(1)
{
	r1 = LOAD(x, relaxed);
	r2 = LOAD(x, relaxed);
}

MAIN("r1=%d r2=%d", r1, r2)
