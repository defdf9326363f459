// allowed: r1=0 r2=0 r3=0
// allowed: r1=0 r2=0 r3=1
// allowed: r1=0 r2=1 r3=0
// allowed: r1=0 r2=1 r3=1
// allowed: r1=1 r2=0 r3=1
// allowed: r1=1 r2=1 r3=0
// allowed: r1=1 r2=1 r3=1
// forbidden: r1=1 r2=0 r3=0
// races: none
// std: c++20

/* The store of x happens before the first fence; since C++20 that is enough. */
#include "litmus.h"

static atomic_int x, y, z;
static int r1, r2, r3;

THREAD(0)
{
	STORE(x, 1, relaxed);
	STORE(y, 1, release);
}

THREAD(1)
{
	r1 = LOAD(y, acquire);
	FENCE(seq_cst);
	r2 = LOAD(z, relaxed);
}

THREAD(2)
{
	STORE(z, 1, relaxed);
	FENCE(seq_cst);
	r3 = LOAD(x, relaxed);
}

MAIN("r1=%d r2=%d r3=%d", r1, r2, r3)
