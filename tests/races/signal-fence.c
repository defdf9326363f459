// flags: -pthread

/* atomic_signal_fence orders a thread only with its own handlers. */
#include <stdatomic.h>

#include "threads.h"

static atomic_int flag;
static int value;

static void *writer(void *unused)
{
	value = 1; // race A
	atomic_signal_fence(memory_order_seq_cst);
	atomic_store_explicit(&flag, 1, memory_order_relaxed);
	return unused;
}

static void *reader(void *unused)
{
	for (int i = 0; i < 100; i++)
		if (atomic_load_explicit(&flag, memory_order_relaxed)) {
			atomic_signal_fence(memory_order_seq_cst);
			return (void *)(long)value; // race A
		}
	return unused;
}

int main(void)
{
	together(writer, reader);
	return 0;
}
