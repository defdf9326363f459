// allowed: r1=0 r2=0 x=1
// allowed: r1=0 r2=0 x=2
// allowed: r1=0 r2=1 x=1
// allowed: r1=0 r2=1 x=2
// allowed: r1=1 r2=0 x=1
// allowed: r1=1 r2=0 x=2
// allowed: r1=1 r2=1 x=1
// forbidden: r1=1 r2=1 x=2
// races: none

/* Z6.2, a cycle of three threads (reads from, reads from, overwrites), in S. */
#include "litmus.h"

static atomic_int x, y, z;
static int r1, r2;

THREAD(0)
{
	STORE(x, 2, seq_cst);
	STORE(y, 1, seq_cst);
}

THREAD(1)
{
	r1 = LOAD(y, seq_cst);
	STORE(z, 1, seq_cst);
}

THREAD(2)
{
	r2 = LOAD(z, seq_cst);
	STORE(x, 1, seq_cst);
}

MAIN("r1=%d r2=%d x=%d", r1, r2, x)
