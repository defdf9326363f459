// flags: -pthread

/* Initialised exactly once, but who comes second does not wait for it. */
#include <stdatomic.h>

#include "threads.h"

static atomic_int started;
static int table;

static void *use(void *unused)
{
	(void)unused;
	if (!atomic_exchange(&started, 1))
		table = 7; // race A
	return (void *)(long)table; // race A
}

int main(void)
{
	together(use, use);
	return 0;
}
