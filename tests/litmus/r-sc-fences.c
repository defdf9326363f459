// allowed: r1=0 y=1
// allowed: r1=1 y=1
// allowed: r1=1 y=2
// forbidden: r1=0 y=2
// races: none

/* R with fences (p6 and p7). */
#include "litmus.h"

static atomic_int x, y;
static int r1;

THREAD(0)
{
	STORE(x, 1, relaxed);
	FENCE(seq_cst);
	STORE(y, 1, relaxed);
}

THREAD(1)
{
	STORE(y, 2, relaxed);
	FENCE(seq_cst);
	r1 = LOAD(x, relaxed);
}

MAIN("r1=%d y=%d", r1, y)
