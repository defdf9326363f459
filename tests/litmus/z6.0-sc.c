// allowed: r1=0 r2=0 z=1
// allowed: r1=0 r2=0 z=2
// allowed: r1=0 r2=1 z=1
// allowed: r1=0 r2=1 z=2
// allowed: r1=1 r2=0 z=1
// allowed: r1=1 r2=1 z=1
// allowed: r1=1 r2=1 z=2
// forbidden: r1=1 r2=0 z=2
// races: none

/* Z6.0, a cycle of three threads (reads from, overwrites, reads before), in S. */
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
	r1 = LOAD(y, seq_cst);
	STORE(z, 1, seq_cst);
}

THREAD(2)
{
	STORE(z, 2, seq_cst);
	r2 = LOAD(x, seq_cst);
}

MAIN("r1=%d r2=%d z=%d", r1, r2, z)
