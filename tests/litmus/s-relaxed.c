// allowed: r1=0 x=1
// allowed: r1=0 x=2
// allowed: r1=1 x=1
// allowed: r1=1 x=2
// races: none
// fragment: full

/* S: the second thread sees y, and still its store to x precedes the first thread's in modification order. */
#include "litmus.h"

static atomic_int x, y;
static int r1;

THREAD(0)
{
	STORE(x, 2, relaxed);
	STORE(y, 1, relaxed);
}

THREAD(1)
{
	r1 = LOAD(y, relaxed);
	STORE(x, 1, relaxed);
}

MAIN("r1=%d x=%d", r1, x)
