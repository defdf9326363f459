// flags: -pthread
// race A B: verdict=output-differs

/* A debugging line prints who came first: it is meant to depend on the schedule. */
#include <stdio.h>

#include "../races/threads.h"

static long first = -1;

static void *run(void *n)
{
	if (first < 0)           // race A
		first = (long)n; // race A B
	return NULL;
}

int main(void)
{
	together(run, run);
	printf("first: %ld\n", first);
	return 0;
}
