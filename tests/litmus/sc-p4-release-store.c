// allowed: r1=0 r2=0
// allowed: r1=0 r2=1
// allowed: r1=1 r2=0
// allowed: r1=1 r2=1
// races: none

/* The fence does not affect a store that is not in S (p4). */
#include "litmus.h"

static atomic_int x, y;
static int r1, r2;

THREAD(0)
{
	STORE(x, 1, release);
	r1 = y;
}

THREAD(1)
{
	y = 1;
	FENCE(seq_cst);
	r2 = LOAD(x, relaxed);
}

MAIN("r1=%d r2=%d", r1, r2)
