// allowed: r1=0 r2=0
// allowed: r1=0 r2=1
// allowed: r1=1 r2=0
// forbidden: r1=1 r2=1
// races: none

/* atomic_flag: one thread gets it, and after a clear the next one. */
#include "litmus.h"

static atomic_flag flag = ATOMIC_FLAG_INIT;
static int r1, r2;

THREAD(0)
{
	r1 = atomic_flag_test_and_set_explicit(&flag, memory_order_relaxed);
	if (!r1)
		atomic_flag_clear_explicit(&flag, memory_order_relaxed);
}

THREAD(1)
{
	r2 = atomic_flag_test_and_set_explicit(&flag, memory_order_relaxed);
	if (!r2)
		atomic_flag_clear_explicit(&flag, memory_order_relaxed);
}

MAIN("r1=%d r2=%d", r1, r2)
