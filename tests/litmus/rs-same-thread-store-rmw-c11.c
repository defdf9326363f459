// allowed: r1=0 r2=0
// allowed: r1=1 r2=0
// allowed: r1=10 r2=0
// allowed: r1=11 r2=0
// allowed: r1=12 r2=1
// allowed: r1=2 r2=0
// forbidden: r1=12 r2=0
// races: none
// std: c11

/* A read-modify-write continues a sequence that a store of its first thread has continued, in C11. */
#include "litmus.h"

static int message;
static atomic_int x;
static int r1, r2;

THREAD(0)
{
	message = 1;
	STORE(x, 1, release);
	STORE(x, 2, relaxed);
}

THREAD(1) { FETCH_ADD(x, 10, relaxed); }

THREAD(2)
{
	r1 = LOAD(x, acquire);
	if (r1 == 12)
		r2 = message;
}

MAIN("r1=%d r2=%d", r1, r2)
