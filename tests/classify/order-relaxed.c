// flags: -pthread
// race A: verdict=single-ordering adhoc=data pattern=user-synchronisation

/* The flag is atomic but orders nothing; under sequential consistency it is a flag all the same. */
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>

#include "../races/threads.h"

static int data;
static atomic_int ready;

static void *produce(void *unused)
{
	data = 42; // race A
	atomic_store_explicit(&ready, 1, memory_order_relaxed);
	return unused;
}

static void *consume(void *unused)
{
	while (!atomic_load_explicit(&ready, memory_order_relaxed))
		sched_yield();
	printf("%d\n", data); // race A
	return unused;
}

int main(void)
{
	together(produce, consume);
	return 0;
}
