// allowed: r1=0 y=1 z=1
// allowed: r1=0 y=1 z=2
// allowed: r1=0 y=2 z=1
// allowed: r1=1 y=1 z=1
// allowed: r1=1 y=1 z=2
// allowed: r1=1 y=2 z=1
// allowed: r1=1 y=2 z=2
// forbidden: r1=0 y=2 z=2
// races: none

/* Z6.5, a cycle of three threads (overwrites, overwrites, reads before), in S. */
#include "litmus.h"

static atomic_int x, y, z;
static int r1;

THREAD(0)
{
	STORE(x, 1, seq_cst);
	STORE(y, 1, seq_cst);
}

THREAD(1)
{
	STORE(y, 2, seq_cst);
	STORE(z, 1, seq_cst);
}

THREAD(2)
{
	STORE(z, 2, seq_cst);
	r1 = LOAD(x, seq_cst);
}

MAIN("r1=%d y=%d z=%d", r1, y, z)
