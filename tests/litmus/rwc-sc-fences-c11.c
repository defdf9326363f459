// allowed: r1=0 r2=0 r3=0
// allowed: r1=0 r2=0 r3=1
// allowed: r1=0 r2=1 r3=0
// allowed: r1=0 r2=1 r3=1
// allowed: r1=1 r2=0 r3=0
// allowed: r1=1 r2=0 r3=1
// allowed: r1=1 r2=1 r3=0
// allowed: r1=1 r2=1 r3=1
// races: none
// std: c11

/* Two fences, and the store of x is sequenced before neither: C11 allows 1 0 0. */
#include "litmus.h"

static atomic_int x, y;
static int r1, r2, r3;

THREAD(0) { STORE(x, 1, relaxed); }

THREAD(1)
{
	r1 = LOAD(x, relaxed);
	FENCE(seq_cst);
	r2 = LOAD(y, relaxed);
}

THREAD(2)
{
	STORE(y, 1, relaxed);
	FENCE(seq_cst);
	r3 = LOAD(x, relaxed);
}

MAIN("r1=%d r2=%d r3=%d", r1, r2, r3)
