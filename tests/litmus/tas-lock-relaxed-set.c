// allowed: done
// races: marked

/* A test-and-set lock whose lock does not acquire. */
#include "litmus.h"

static atomic_flag lock = ATOMIC_FLAG_INIT;
static int count;

static void work(void)
{
	while (atomic_flag_test_and_set_explicit(&lock, memory_order_relaxed))
		sched_yield();
	count++; // race: A
	atomic_flag_clear_explicit(&lock, memory_order_release);
}

THREAD(0) { work(); }

THREAD(1) { work(); }

MAIN("done")
