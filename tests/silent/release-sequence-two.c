// flags: -pthread

/* Two releases by RMW into one atomic: a reader of the second is ordered after both. */
#include <sched.h>
#include <stdatomic.h>

#include "../races/threads.h"

static atomic_int arrived;
static int value[2];

static void *arrive(void *n)
{
	value[(long)n] = 1;
	atomic_fetch_add_explicit(&arrived, 1, memory_order_release);
	return NULL;
}

static void *gather(void *unused)
{
	while (atomic_load_explicit(&arrived, memory_order_acquire) != 2)
		sched_yield();
	return value[0] + value[1] == 2 ? unused : NULL;
}

int main(void)
{
	together(arrive, arrive, gather);
	return 0;
}
