// flags: -pthread

/* An RMW continues a release sequence but is no release of its own thread's work when it is relaxed. */
#include <stdatomic.h>

#include "threads.h"

static atomic_int flag;
static int value, extra;

static void *releases(void *unused)
{
	value = 1;
	atomic_fetch_add_explicit(&flag, 1, memory_order_release);
	return unused;
}

static void *continues(void *unused)
{
	extra = 1; // race A
	atomic_fetch_add_explicit(&flag, 2, memory_order_relaxed);
	return unused;
}

static void *acquires(void *unused)
{
	(void)unused;
	for (int i = 0; i < 100; i++)
		if (atomic_load_explicit(&flag, memory_order_acquire) == 3) {
			int sum = value;
			sum += extra; // race A
			return (void *)(long)sum;
		}
	return NULL;
}

int main(void)
{
	together(releases, continues, acquires);
	return 0;
}
