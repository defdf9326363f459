// allowed: r1=0 r2=0 y=1
// allowed: r1=0 r2=1 y=1
// allowed: r1=0 r2=1 y=2
// allowed: r1=1 r2=0 y=1
// allowed: r1=1 r2=0 y=2
// allowed: r1=1 r2=1 y=1
// allowed: r1=1 r2=1 y=2
// forbidden: r1=0 r2=0 y=2
// races: none

/* Z6.4, a cycle of three threads (overwrites, reads before, reads before), in S. */
#include "litmus.h"

static atomic_int x, y, z;
static int r1, r2;

THREAD(0)
{
	STORE(x, 1, seq_cst);
	STORE(y, 1, seq_cst);
}

THREAD(1)
{
	STORE(y, 2, seq_cst);
	r1 = LOAD(z, seq_cst);
}

THREAD(2)
{
	STORE(z, 1, seq_cst);
	r2 = LOAD(x, seq_cst);
}

MAIN("r1=%d r2=%d y=%d", r1, r2, y)
