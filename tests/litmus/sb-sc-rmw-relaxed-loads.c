// allowed: r1=0 r2=0
// allowed: r1=0 r2=1
// allowed: r1=1 r2=0
// allowed: r1=1 r2=1
// races: none

/* A sequentially consistent exchange is not a fence. */
#include "litmus.h"

static atomic_int x, y;
static int r1, r2;

THREAD(0)
{
	EXCHANGE(x, 1, seq_cst);
	r1 = LOAD(y, relaxed);
}

THREAD(1)
{
	EXCHANGE(y, 1, seq_cst);
	r2 = LOAD(x, relaxed);
}

MAIN("r1=%d r2=%d", r1, r2)
