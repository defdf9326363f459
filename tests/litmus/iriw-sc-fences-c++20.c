// allowed: r1=0 r2=0 r3=0 r4=0
// allowed: r1=0 r2=0 r3=0 r4=1
// allowed: r1=0 r2=0 r3=1 r4=0
// allowed: r1=0 r2=0 r3=1 r4=1
// allowed: r1=0 r2=1 r3=0 r4=0
// allowed: r1=0 r2=1 r3=0 r4=1
// allowed: r1=0 r2=1 r3=1 r4=0
// allowed: r1=0 r2=1 r3=1 r4=1
// allowed: r1=1 r2=0 r3=0 r4=0
// allowed: r1=1 r2=0 r3=0 r4=1
// allowed: r1=1 r2=0 r3=1 r4=1
// allowed: r1=1 r2=1 r3=0 r4=0
// allowed: r1=1 r2=1 r3=0 r4=1
// allowed: r1=1 r2=1 r3=1 r4=0
// allowed: r1=1 r2=1 r3=1 r4=1
// forbidden: r1=1 r2=0 r3=1 r4=0
// races: none
// std: c++20

/* Fences between the reads: since C++20 the readers agree, because what they read orders the fences. */
#include "litmus.h"

static atomic_int x, y;
static int r1, r2, r3, r4;

THREAD(0) { STORE(x, 1, relaxed); }

THREAD(1) { STORE(y, 1, relaxed); }

THREAD(2)
{
	r1 = LOAD(x, relaxed);
	FENCE(seq_cst);
	r2 = LOAD(y, relaxed);
}

THREAD(3)
{
	r3 = LOAD(y, relaxed);
	FENCE(seq_cst);
	r4 = LOAD(x, relaxed);
}

MAIN("r1=%d r2=%d r3=%d r4=%d", r1, r2, r3, r4)
