// allowed: r1=0 r2=2
// allowed: r1=1 r2=0
// allowed: r1=1 r2=1
// allowed: r1=1 r2=2
// forbidden: r1=0 r2=0
// forbidden: r1=0 r2=1
// races: none

/* After the fence a load sees the last store before the other fence or a later one, not an earlier one (p6). */
#include "litmus.h"

static atomic_int x, y;
static int r1, r2;

THREAD(0)
{
	STORE(x, 1, relaxed);
	STORE(x, 2, relaxed);
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
