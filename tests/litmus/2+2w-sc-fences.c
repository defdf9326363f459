// allowed: x=1 y=2
// allowed: x=2 y=1
// allowed: x=2 y=2
// forbidden: x=1 y=1
// races: none

/* Stores on both sides of two fences have the order of the fences (p7). */
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
	FENCE(seq_cst);
	STORE(x, 2, relaxed);
}

MAIN("x=%d y=%d", x, y)
