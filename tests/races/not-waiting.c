// flags: -pthread

/* Initialised exactly once, but the second thread does not wait for that. */
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
