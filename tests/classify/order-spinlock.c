// flags: -pthread
// race A: verdict=single-ordering adhoc=data pattern=user-synchronisation

/* A hand-made lock, which excludes but orders nothing: a thread inside keeps the other one out. */
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>

#include "../races/threads.h"

static atomic_int locked;
static int sum;

static void *add(void *n)
{
	for (int i = 0; i < 2; i++) {
		while (atomic_exchange_explicit(&locked, 1, memory_order_relaxed))
			sched_yield();
		sum += 1 + (int)(long)n; // race A
		atomic_store_explicit(&locked, 0, memory_order_relaxed);
	}
	return NULL;
}

int main(void)
{
	together(add, add);
	printf("%d\n", sum);
	return 0;
}
