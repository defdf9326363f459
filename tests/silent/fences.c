// flags: -pthread

/* Message passing by relaxed accesses and a fence on each side. */
#include <sched.h>
#include <stdatomic.h>

#include "../races/threads.h"

static atomic_int flag;
static int value;

static void *send(void *unused)
{
	value = 1;
	atomic_thread_fence(memory_order_release);
	atomic_store_explicit(&flag, 1, memory_order_relaxed);
	return unused;
}

static void *receive(void *unused)
{
	while (!atomic_load_explicit(&flag, memory_order_relaxed))
		sched_yield();
	atomic_thread_fence(memory_order_acquire);
	return value ? unused : NULL;
}

int main(void)
{
	together(send, receive);
	return 0;
}
