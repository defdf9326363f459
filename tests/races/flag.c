// flags: -pthread

/* A plain flag instead of a condition; the reader gives up after some tries. */
#include <stdbool.h>

#include "threads.h"

static int data;
static bool ready;

static void *produce(void *unused)
{
	data = 42; // race A
	ready = true; // race B
	return unused;
}

static void *consume(void *unused)
{
	for (int i = 0; i < 100; i++)
		if (ready) // race B
			return (void *)(long)data; // race A
	return unused;
}

int main(void)
{
	together(produce, consume);
	return 0;
}
