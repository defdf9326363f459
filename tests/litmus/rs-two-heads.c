// allowed: r1=0 r2=0 r3=0
// allowed: r1=1 r2=0 r3=0
// allowed: r1=2 r2=1 r3=1
// forbidden: r1=2 r2=0 r3=1
// forbidden: r1=2 r2=1 r3=0
// races: none

/* A release read-modify-write continues the sequence it reads from and heads its own: a reader acquires both. */
#include "litmus.h"

static int first, second;
static atomic_int x;
static int r1, r2, r3;

THREAD(0)
{
	first = 1;
	STORE(x, 1, release);
}

THREAD(1)
{
	second = 1;
	FETCH_ADD(x, 1, release);
}

THREAD(2)
{
	r1 = LOAD(x, acquire);
	if (r1 == 2) {
		r2 = first;
		r3 = second;
	}
}

MAIN("r1=%d r2=%d r3=%d", r1, r2, r3)
