// flags: -pthread

/* memory_order_consume, which every compiler treats as acquire. */
#include <sched.h>
#include <stdatomic.h>

#include "../races/threads.h"

static int value;
static int *_Atomic published;

static void *publish(void *unused)
{
	value = 5;
	atomic_store_explicit(&published, &value, memory_order_release);
	return unused;
}

static void *subscribe(void *unused)
{
	int *p;

	while (!(p = atomic_load_explicit(&published, memory_order_consume)))
		sched_yield();
	return *p == 5 ? unused : NULL;
}

int main(void)
{
	together(publish, subscribe);
	return 0;
}
