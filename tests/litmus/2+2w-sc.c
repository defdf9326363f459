// allowed: x=1 y=2
// allowed: x=2 y=1
// allowed: x=2 y=2
// forbidden: x=1 y=1
// races: none

/* Modification orders agree with S. */
#include "litmus.h"

static atomic_int x, y;

THREAD(0)
{
	x = 1;
	y = 2;
}

THREAD(1)
{
	y = 1;
	x = 2;
}

MAIN("x=%d y=%d", x, y)
