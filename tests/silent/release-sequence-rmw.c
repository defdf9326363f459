// flags: -pthread

/* Another thread's relaxed RMW continues a release sequence. */
#include <sched.h>
#include <stdatomic.h>

#include "../races/threads.h"

static atomic_int flag;
static int value;

static void *releases(void *unused)
{
	value = 1;
	atomic_store_explicit(&flag, 1, memory_order_release);
	return unused;
}

static void *counts(void *unused)
{
	int expected = 1;

	while (!atomic_compare_exchange_weak_explicit(&flag, &expected, 2, memory_order_relaxed, memory_order_relaxed)) {
		expected = 1;
		sched_yield();
	}
	return unused;
}

static void *acquires(void *unused)
{
	while (atomic_load_explicit(&flag, memory_order_acquire) != 2)
		sched_yield();
	return value ? unused : NULL;
}

int main(void)
{
	together(releases, counts, acquires);
	return 0;
}
