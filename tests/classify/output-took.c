// flags: -pthread
// race A: verdict=output-differs

/* The time that it took is printed beside the number of results; only the number depends on the race. */
#include <stdio.h>
#include <time.h>

#include "../races/threads.h"

static int done;

static long now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000 + t.tv_nsec;
}

static void *work(void *unused)
{
	done++; // race A
	return unused;
}

int main(void)
{
	long start = now();

	together(work, work);
	long end = now();
	printf("took %ld ns\n", end - start);
	printf("%d done\n", done);
	return 0;
}
