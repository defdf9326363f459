// allowed: r1=0 r2=1
// allowed: r1=1 r2=0
// allowed: r1=1 r2=1
// forbidden: r1=0 r2=0
// races: none

/* Sequentially consistent fences between store and load; the thread with the second fence in S sees the store (p6). */
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
	STORE(y, 1, relaxed);
	FENCE(seq_cst);
	r2 = LOAD(x, relaxed);
}

MAIN("r1=%d r2=%d", r1, r2)
