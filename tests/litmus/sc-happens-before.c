// allowed: r1=0 r2=1 r3=0
// allowed: r1=0 r2=1 r3=1
// allowed: r1=0 r2=3 r3=0
// allowed: r1=0 r2=3 r3=1
// allowed: r1=1 r2=2 r3=0
// allowed: r1=1 r2=2 r3=1
// allowed: r1=1 r2=3 r3=1
// allowed: r1=3 r2=1 r3=0
// allowed: r1=3 r2=1 r3=1
// allowed: r1=3 r2=4 r3=0
// allowed: r1=3 r2=4 r3=1
// forbidden: r1=1 r2=3 r3=0
// races: none
// std: c11

/*
 * S agrees with happens-before (C11): the store of x precedes the read-modify-write in S, and this precedes the store of
 * 3. Since C++20 (P0668) r1=1 r2=3 r3=0 is allowed.
 */
#include "litmus.h"

static atomic_int x, y;
static int r1, r2, r3;

THREAD(0)
{
	x = 1;
	STORE(y, 1, release);
}

THREAD(1)
{
	r1 = FETCH_ADD(y, 1, seq_cst);
	r2 = LOAD(y, relaxed);
}

THREAD(2)
{
	y = 3;
	r3 = x;
}

MAIN("r1=%d r2=%d r3=%d", r1, r2, r3)
