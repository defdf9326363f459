// allowed: count=2
// forbidden: count=1
// races: none

/* A test-and-set lock. */
#include "litmus.h"

static atomic_flag lock = ATOMIC_FLAG_INIT;
static int count;

static void work(void)
{
	while (atomic_flag_test_and_set_explicit(&lock, memory_order_acquire))
		sched_yield();
	count++;
	atomic_flag_clear_explicit(&lock, memory_order_release);
}

THREAD(0) { work(); }

THREAD(1) { work(); }

MAIN("count=%d", count)
