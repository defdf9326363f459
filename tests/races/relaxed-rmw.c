// flags: -pthread

/* Relaxed operations count, and order nothing. */
#include <stdatomic.h>

#include "threads.h"

static atomic_int arrived;
static int slot[2];

static void *work(void *number)
{
	long n = (long)number;

	slot[n] = 1; // race A
	if (atomic_fetch_add_explicit(&arrived, 1, memory_order_relaxed) == 1)
		return (void *)(long)slot[1 - n]; // race A
	return NULL;
}

int main(void)
{
	together(work, work);
	return 0;
}
