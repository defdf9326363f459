// flags: -pthread

/* Both fences are there, each on the wrong side of its atomic access. */
#include <stdatomic.h>

#include "threads.h"

static atomic_int flag;
static int value;

static void *writer(void *unused)
{
	value = 1; // race A
	atomic_store_explicit(&flag, 1, memory_order_relaxed);
	atomic_thread_fence(memory_order_release);
	return unused;
}

static void *reader(void *unused)
{
	for (int i = 0; i < 100; i++) {
		atomic_thread_fence(memory_order_acquire);
		if (atomic_load_explicit(&flag, memory_order_relaxed))
			return (void *)(long)value; // race A
	}
	return unused;
}

int main(void)
{
	together(writer, reader);
	return 0;
}
