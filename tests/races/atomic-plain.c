// flags: -pthread

/* An atomic counter that is cleared through a plain pointer. */
#include <stdatomic.h>

#include "threads.h"

static atomic_int counter;

static void *count(void *unused)
{
	atomic_fetch_add(&counter, 1); // race A
	return unused;
}

static void *clear(void *unused)
{
	*(int *)&counter = 0; // race A
	return unused;
}

int main(void)
{
	together(count, count, clear);
	return 0;
}
