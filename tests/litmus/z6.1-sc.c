// allowed: r1=0 x=1 y=1
// allowed: r1=0 x=1 y=2
// allowed: r1=0 x=2 y=1
// allowed: r1=0 x=2 y=2
// allowed: r1=1 x=1 y=1
// allowed: r1=1 x=1 y=2
// allowed: r1=1 x=2 y=1
// forbidden: r1=1 x=2 y=2
// races: none

/* Z6.1, a cycle of three threads (overwrites, reads from, overwrites), in S. */
#include "litmus.h"

static atomic_int x, y, z;
static int r1;

THREAD(0)
{
	STORE(x, 2, seq_cst);
	STORE(y, 1, seq_cst);
}

THREAD(1)
{
	STORE(y, 2, seq_cst);
	STORE(z, 1, seq_cst);
}

THREAD(2)
{
	r1 = LOAD(z, seq_cst);
	STORE(x, 1, seq_cst);
}

MAIN("r1=%d x=%d y=%d", r1, x, y)
