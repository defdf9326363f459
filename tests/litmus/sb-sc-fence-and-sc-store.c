// allowed: r1=0 r2=0
// allowed: r1=0 r2=1
// allowed: r1=1 r2=0
// allowed: r1=1 r2=1
// races: none

/* Opposite a fence, the store alone is not enough: the load must be in S as well. */
#include "litmus.h"

static atomic_int x, y;
static int r1, r2;

THREAD(0)
{
	STORE(x, 1, relaxed);
	FENCE(seq_cst);
	r1 = LOAD(y, relaxed);
}

THREAD(1)
{
	STORE(y, 1, seq_cst);
	r2 = LOAD(x, acquire);
}

MAIN("r1=%d r2=%d", r1, r2)
