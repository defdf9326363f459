// allowed: r1=0 r2=1
// allowed: r1=1 r2=0
// allowed: r1=1 r2=1
// forbidden: r1=0 r2=0
// races: none

/* Store buffering by sequentially consistent compare-and-swaps. */
#include "litmus.h"

static atomic_int x, y;
static int r1, r2;

THREAD(0)
{
	int old = 0;

	CAS(x, &old, 1, seq_cst, seq_cst);
	r1 = LOAD(y, seq_cst);
}

THREAD(1)
{
	int old = 0;

	CAS(y, &old, 1, seq_cst, seq_cst);
	r2 = LOAD(x, seq_cst);
}

MAIN("r1=%d r2=%d", r1, r2)
