// allowed: r1=0 r2=0 r3=0
// allowed: r1=0 r2=0 r3=1
// allowed: r1=0 r2=1 r3=0
// allowed: r1=0 r2=1 r3=1
// allowed: r1=1 r2=0 r3=0
// allowed: r1=1 r2=0 r3=1
// allowed: r1=1 r2=1 r3=0
// allowed: r1=1 r2=1 r3=1
// races: none

/* W+RWC with release and acquire. */
#include "litmus.h"

static atomic_int x, y, z;
static int r1, r2, r3;

THREAD(0)
{
	STORE(x, 1, release);
	STORE(y, 1, release);
}

THREAD(1)
{
	r1 = LOAD(y, acquire);
	r2 = LOAD(z, acquire);
}

THREAD(2)
{
	STORE(z, 1, release);
	r3 = LOAD(x, acquire);
}

MAIN("r1=%d r2=%d r3=%d", r1, r2, r3)
