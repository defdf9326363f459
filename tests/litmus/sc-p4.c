// allowed: r1=0 r2=1
// allowed: r1=1 r2=0
// allowed: r1=1 r2=1
// forbidden: r1=0 r2=0
// races: none

/* A load after a fence sees what was stored in S before the fence (p4). */
#include "litmus.h"

static atomic_int x, y;
static int r1, r2;

THREAD(0)
{
	x = 1;
	r1 = y;
}

THREAD(1)
{
	y = 1;
	FENCE(seq_cst);
	r2 = LOAD(x, relaxed);
}

MAIN("r1=%d r2=%d", r1, r2)
