// allowed: x=1 y=2
// allowed: x=2 y=1
// allowed: x=2 y=2
// forbidden: x=1 y=1
// races: none

/* An exchange reads what it overwrites, and cannot read a store that comes later. */
#include "litmus.h"

static atomic_int x, y;

THREAD(0)
{
	EXCHANGE(x, 1, relaxed);
	EXCHANGE(y, 2, relaxed);
}

THREAD(1)
{
	EXCHANGE(y, 1, relaxed);
	EXCHANGE(x, 2, relaxed);
}

MAIN("x=%d y=%d", x, y)
