// flags: -pthread

/* The array moves when it grows. */
#include <stdlib.h>

#include "threads.h"

static char *array;

static void *grow(void *unused)
{
	array = realloc(array, 100000); // race A
	return unused;
}

static void *use(void *unused)
{
	(void)unused;
	return (void *)(long)array[3]; // race A
}

int main(void)
{
	array = calloc(1, 16);
	together(grow, use);
	free(array);
	return 0;
}
