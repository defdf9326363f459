// allowed: x=1 y=1
// allowed: x=1 y=2
// allowed: x=2 y=1
// allowed: x=2 y=2
// races: none
// fragment: full

/* One fence alone orders nothing. */
#include "litmus.h"

static atomic_int x, y;

THREAD(0)
{
	STORE(x, 1, relaxed);
	FENCE(seq_cst);
	STORE(y, 2, relaxed);
}

THREAD(1)
{
	STORE(y, 1, relaxed);
	STORE(x, 2, relaxed);
}

MAIN("x=%d y=%d", x, y)
