// allowed: r1=0 r2=0
// allowed: r1=0 r2=1
// allowed: r1=1 r2=0
// allowed: r1=1 r2=1
// races: none

/* Store buffering by the relaxed __atomic builtins. */
#include "litmus.h"

static int x, y;
static int r1, r2;

THREAD(0)
{
	__atomic_store_n(&x, 1, __ATOMIC_RELAXED);
	r1 = __atomic_load_n(&y, __ATOMIC_RELAXED);
}

THREAD(1)
{
	__atomic_store_n(&y, 1, __ATOMIC_RELAXED);
	r2 = __atomic_load_n(&x, __ATOMIC_RELAXED);
}

MAIN("r1=%d r2=%d", r1, r2)
