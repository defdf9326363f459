// flags: -pthread

/* Relaxed loads, and one acquire fence after all of them. */
#include <sched.h>
#include <stdatomic.h>

#include "../races/threads.h"

static atomic_int flag[2];
static int value[2];

static void *send(void *n)
{
	value[(long)n] = 1;
	atomic_store_explicit(&flag[(long)n], 1, memory_order_release);
	return NULL;
}

static void *receive(void *unused)
{
	for (int i = 0; i < 2; i++)
		while (!atomic_load_explicit(&flag[i], memory_order_relaxed))
			sched_yield();
	atomic_thread_fence(memory_order_acquire);
	return value[0] + value[1] == 2 ? unused : NULL;
}

int main(void)
{
	together(send, send, receive);
	return 0;
}
