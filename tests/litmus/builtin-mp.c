// allowed: r1=0 r2=0
// allowed: r1=1 r2=1
// forbidden: r1=1 r2=0
// races: none

/* The __atomic builtins on a plain int, with a plain message. */
#include "litmus.h"

static int message, flag;
static int r1, r2;

THREAD(0)
{
	message = 1;
	__atomic_store_n(&flag, 1, __ATOMIC_RELEASE);
}

THREAD(1)
{
	r1 = __atomic_load_n(&flag, __ATOMIC_ACQUIRE);
	if (r1)
		r2 = message;
}

MAIN("r1=%d r2=%d", r1, r2)
