// flags: -pthread
// race A: verdict=output-differs stream=log

/* The lines of a file come in any order; one of them has a number that only one order of the race produces. */
#include <stdio.h>

#include "../races/threads.h"

static FILE *file;
static int limit;

static void *set(void *unused)
{
	fputs("a limit is set\n", file);
	limit = 40; // race A
	return unused;
}

static void *use(void *unused)
{
	fputs("a limit is used\n", file);
	fprintf(file, "up to %d\n", limit); // race A output A
	return unused;
}

int main(void)
{
	file = fopen("log", "w");
	together(set, use);
	return fclose(file);
}
