// flags: -pthread

/* The older builtins, __sync and __atomic, on plain variables. */
#include <sched.h>

#include "../races/threads.h"

static int locked, ready, counter, value;

static void *count(void *unused)
{
	while (__sync_lock_test_and_set(&locked, 1))
		sched_yield();
	counter++;
	__sync_lock_release(&locked);
	return unused;
}

static void *send(void *unused)
{
	value = 3;
	__atomic_store_n(&ready, 1, __ATOMIC_RELEASE);
	return unused;
}

static void *receive(void *unused)
{
	while (!__sync_fetch_and_add(&ready, 0))
		sched_yield();
	return value == 3 ? unused : NULL;
}

int main(void)
{
	together(count, count, send, receive);
	return counter != 2;
}
