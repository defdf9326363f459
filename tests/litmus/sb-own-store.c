// allowed: r1=1 r2=0 r3=1 r4=0
// allowed: r1=1 r2=0 r3=1 r4=1
// allowed: r1=1 r2=1 r3=1 r4=0
// allowed: r1=1 r2=1 r3=1 r4=1
// forbidden: r1=0 r2=0 r3=1 r4=0
// races: none

/* Each thread sees its own store at once, and not yet the other one's. */
#include "litmus.h"

static atomic_int x, y;
static int r1, r2, r3, r4;

THREAD(0)
{
	STORE(x, 1, relaxed);
	r1 = LOAD(x, relaxed);
	r2 = LOAD(y, relaxed);
}

THREAD(1)
{
	STORE(y, 1, relaxed);
	r3 = LOAD(y, relaxed);
	r4 = LOAD(x, relaxed);
}

MAIN("r1=%d r2=%d r3=%d r4=%d", r1, r2, r3, r4)
