// flags: -pthread

/* A relaxed store of the same thread continues a release sequence (in C11, not in C++20). */
#include <sched.h>
#include <stdatomic.h>

#include "../races/threads.h"

static atomic_int flag;
static int value;

static void *releases(void *unused)
{
	value = 1;
	atomic_store_explicit(&flag, 1, memory_order_release);
	atomic_store_explicit(&flag, 2, memory_order_relaxed);
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
	together(releases, acquires);
	return 0;
}
