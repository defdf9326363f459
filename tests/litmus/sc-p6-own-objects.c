// allowed: r1=0 r2=0
// allowed: r1=0 r2=1
// allowed: r1=1 r2=0
// allowed: r1=1 r2=1
// races: none

/* Two fences affect only objects that are stored before one and loaded after the other (p6). */
#include "litmus.h"

static atomic_int x, y, z;
static int r1, r2;

THREAD(0)
{
	STORE(x, 1, relaxed);
	FENCE(seq_cst);
	STORE(z, 1, relaxed);
	r1 = LOAD(y, relaxed);
}

THREAD(1)
{
	STORE(y, 1, relaxed);
	FENCE(seq_cst);
	r2 = LOAD(z, relaxed);
}

MAIN("r1=%d r2=%d", r1, r2)
