// allowed: r1=0 r2=0
// allowed: r1=0 r2=1
// allowed: r1=1 r2=0
// forbidden: r1=1 r2=1
// races: none

/* Load buffering with release and acquire: the standard forbids it, too. */
#include "litmus.h"

static atomic_int x, y;
static int r1, r2;

THREAD(0)
{
	r1 = LOAD(x, acquire);
	STORE(y, 1, release);
}

THREAD(1)
{
	r2 = LOAD(y, acquire);
	STORE(x, 1, release);
}

MAIN("r1=%d r2=%d", r1, r2)
