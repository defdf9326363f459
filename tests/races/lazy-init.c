// flags: -pthread

/* The first thread fills the table in; two can be first. */
#include <stdbool.h>

#include "threads.h"

static bool built;
static int value;

static void *lookup(void *unused)
{
	(void)unused;
	if (!built) { // race A
		value = 42; // race B C
		built = true; // race A D
	}
	return (void *)(long)value; // race C
}

int main(void)
{
	together(lookup, lookup);
	return 0;
}
