// flags: -pthread

/* A release fence before a relaxed store, an acquire load; the fence covers every later store. */
#include <sched.h>
#include <stdatomic.h>

#include "../races/threads.h"

static atomic_int first, second;
static int value;

static void *send(void *unused)
{
	value = 1;
	atomic_thread_fence(memory_order_release);
	atomic_store_explicit(&first, 1, memory_order_relaxed);
	atomic_fetch_add_explicit(&second, 1, memory_order_relaxed);
	return unused;
}

static void *receive(void *number)
{
	while (!atomic_load_explicit(number ? &second : &first, memory_order_acquire))
		sched_yield();
	return value ? NULL : number;
}

int main(void)
{
	together(receive, receive, send);
	return 0;
}
