// allowed: x=1 y=1
// allowed: x=1 y=2
// allowed: x=2 y=1
// allowed: x=2 y=2
// races: none
// fragment: full

/* Both first stores come last: each modification order is the reverse of the program order. */
#include "litmus.h"

static atomic_int x, y;

THREAD(0)
{
	STORE(x, 1, relaxed);
	STORE(y, 2, relaxed);
}

THREAD(1)
{
	STORE(y, 1, relaxed);
	STORE(x, 2, relaxed);
}

MAIN("x=%d y=%d", x, y)
