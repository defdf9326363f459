// allowed: r1=0 y=1
// allowed: r1=0 y=2
// allowed: r1=1 y=1
// allowed: r1=1 y=2
// races: none

/* R: the second thread overwrites y last and does not see x. */
#include "litmus.h"

static atomic_int x, y;
static int r1;

THREAD(0)
{
	STORE(x, 1, relaxed);
	STORE(y, 1, relaxed);
}

THREAD(1)
{
	STORE(y, 2, relaxed);
	r1 = LOAD(x, relaxed);
}

MAIN("r1=%d y=%d", r1, y)
