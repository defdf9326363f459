// flags: -pthread

/* A relaxed store by another thread ends the release sequence: its reader is not ordered after the release. */
#include <stdatomic.h>

#include "threads.h"

static atomic_int flag;
static int value;

static void *releases(void *unused)
{
	value = 1; // race A
	atomic_store_explicit(&flag, 1, memory_order_release);
	return unused;
}

static void *interferes(void *unused)
{
	atomic_store_explicit(&flag, 2, memory_order_relaxed);
	return unused;
}

static void *acquires(void *unused)
{
	(void)unused;
	for (int i = 0; i < 100; i++)
		if (atomic_load_explicit(&flag, memory_order_acquire) == 2)
			return (void *)(long)value; // race A
	return NULL;
}

int main(void)
{
	together(releases, interferes, acquires);
	return 0;
}
