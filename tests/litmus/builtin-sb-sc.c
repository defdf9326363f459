// allowed: r1=0 r2=1
// allowed: r1=1 r2=0
// allowed: r1=1 r2=1
// forbidden: r1=0 r2=0
// races: none

/* Store buffering by the sequentially consistent __atomic builtins. */
#include "litmus.h"

static int x, y;
static int r1, r2;

THREAD(0)
{
	__atomic_store_n(&x, 1, __ATOMIC_SEQ_CST);
	r1 = __atomic_load_n(&y, __ATOMIC_SEQ_CST);
}

THREAD(1)
{
	__atomic_store_n(&y, 1, __ATOMIC_SEQ_CST);
	r2 = __atomic_load_n(&x, __ATOMIC_SEQ_CST);
}

MAIN("r1=%d r2=%d", r1, r2)
