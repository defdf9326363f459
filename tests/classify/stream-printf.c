// flags: -pthread
// varies: the order of the lines
// race A: verdict=k-witness-harmless pattern=both-values-valid

/* The last thread is stored and never read; the threads print in any order. */
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
