// allowed: x=1 y=1
// allowed: x=1 y=2
// allowed: x=2 y=1
// allowed: x=2 y=2
// races: none
// fragment: full

/* Release stores that no thread acquires change nothing. */
#include "litmus.h"

static atomic_int x, y;

THREAD(0)
{
	STORE(x, 1, release);
	STORE(y, 2, release);
}

THREAD(1)
{
	STORE(y, 1, release);
	STORE(x, 2, release);
}

MAIN("x=%d y=%d", x, y)
