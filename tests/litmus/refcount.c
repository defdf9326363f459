// allowed: r1=7 r2=7 value=-1
// forbidden: r1=-1 r2=7 value=-1
// forbidden: r1=7 r2=-1 value=-1
// races: none

/* A reference count: each decrement releases, the last one acquires. */
#include "litmus.h"

static atomic_int references = 2;
static int value = 7;

static void drop(void)
{
	if (FETCH_ADD(references, -1, release) != 1)
		return;
	FENCE(acquire);
	value = -1;
}
static int r1, r2;

THREAD(0)
{
	r1 = value;
	drop();
}

THREAD(1)
{
	r2 = value;
	drop();
}

MAIN("r1=%d r2=%d value=%d", r1, r2, value)
