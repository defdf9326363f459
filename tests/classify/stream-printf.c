// flags: -pthread
// varies: the order of the lines
// race A: verdict=k-witness-harmless pattern=both-values-valid

/* Who was the last to come is noted and never asked for; in which order they say so is up to them. */
#include <stdio.h>

#include "../races/threads.h"

static volatile long last;

static void *work(void *which)
{
	last = (long)which; // race A
	printf("worker %ld is there\n", (long)which);
	return NULL;
}

int main(void)
{
	together(work, work, work);
	return 0;
}
