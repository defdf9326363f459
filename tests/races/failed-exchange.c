// flags: -pthread

/* A compare-and-exchange that fails is a load with its own order: relaxed here, though success would acquire. */
#include <stdatomic.h>

#include "threads.h"

static atomic_int state;
static int value;

static void *writer(void *unused)
{
	value = 1; // race A
	atomic_store_explicit(&state, 1, memory_order_release);
	return unused;
}

static void *reader(void *unused)
{
	int expected = 0;

	(void)unused;
	if (!atomic_compare_exchange_strong_explicit(&state, &expected, 2, memory_order_acq_rel, memory_order_relaxed))
		return (void *)(long)value; // race A
	return NULL;
}

int main(void)
{
	together(writer, reader);
	return 0;
}
