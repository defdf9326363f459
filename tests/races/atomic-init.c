// flags: -pthread

/* atomic_init is a plain write, and comes too late here. */
#include <stdatomic.h>

#include "threads.h"

static atomic_int gate;

static void *initialise(void *unused)
{
	atomic_init(&gate, 1); // race A
	return unused;
}

static void *look(void *unused)
{
	(void)unused;
	return (void *)(long)atomic_load(&gate); // race A
}

int main(void)
{
	together(initialise, look);
	return 0;
}
