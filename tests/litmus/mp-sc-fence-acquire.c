// allowed: r1=0 r2=0
// allowed: r1=0 r2=1
// allowed: r1=1 r2=1
// forbidden: r1=1 r2=0
// races: none

/* A sequentially consistent fence as the release fence of an acquire load. */
#include "litmus.h"

static atomic_int x, y;
static int r1, r2;

THREAD(0)
{
	STORE(x, 1, relaxed);
	FENCE(seq_cst);
	STORE(y, 1, relaxed);
}

THREAD(1)
{
	r1 = LOAD(y, acquire);
	r2 = LOAD(x, relaxed);
}

MAIN("r1=%d r2=%d", r1, r2)
