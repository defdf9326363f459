// flags: -pthread

/* A spin lock that is taken by a relaxed exchange. */
#include <sched.h>
#include <stdatomic.h>

#include "threads.h"

static atomic_int locked;
static int counter;

static void *count(void *unused)
{
	while (atomic_exchange_explicit(&locked, 1, memory_order_relaxed))
		sched_yield();
	counter++; // race A
	atomic_store_explicit(&locked, 0, memory_order_release);
	return unused;
}

int main(void)
{
	together(count, count);
	return 0;
}
