// allowed: r1=0 r2=0
// allowed: r1=1 r2=1
// forbidden: r1=1 r2=0
// races: none

/* The __sync read-modify-writes publish and acquire. */
#include "litmus.h"

static int message, x;
static int r1, r2;

THREAD(0)
{
	message = 1;
	__sync_fetch_and_add(&x, 1);
}

THREAD(1)
{
	r1 = __sync_fetch_and_add(&x, 0);
	if (r1)
		r2 = message;
}

MAIN("r1=%d r2=%d", r1, r2)
