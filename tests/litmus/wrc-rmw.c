// allowed: r1=0 r2=0 r3=0
// allowed: r1=0 r2=0 r3=1
// allowed: r1=0 r2=1 r3=0
// allowed: r1=0 r2=1 r3=1
// allowed: r1=1 r2=0 r3=0
// allowed: r1=1 r2=0 r3=1
// allowed: r1=1 r2=1 r3=1
// allowed: r1=1 r2=2 r3=1
// forbidden: r1=1 r2=2 r3=0
// races: none

/* The middle thread passes the message on with one read-modify-write of the flag. */
#include "litmus.h"

static atomic_int x, y;
static int r1, r2, r3;

THREAD(0)
{
	STORE(x, 1, relaxed);
	STORE(y, 1, release);
}

THREAD(1) { r1 = FETCH_ADD(y, 1, relaxed); }

THREAD(2)
{
	r2 = LOAD(y, acquire);
	r3 = LOAD(x, relaxed);
}

MAIN("r1=%d r2=%d r3=%d", r1, r2, r3)
