// allowed: r1=0 r2=1
// allowed: r1=1 r2=0
// allowed: r1=1 r2=1
// forbidden: r1=0 r2=0
// races: none

/* The store before the fence can be a read-modify-write (p6). */
#include "litmus.h"

static atomic_int x, y;
static int r1, r2;

THREAD(0)
{
	FETCH_ADD(x, 1, relaxed);
	FENCE(seq_cst);
	r1 = LOAD(y, relaxed);
}

THREAD(1)
{
	FETCH_ADD(y, 1, relaxed);
	FENCE(seq_cst);
	r2 = LOAD(x, relaxed);
}

MAIN("r1=%d r2=%d", r1, r2)
