// flags: -pthread
// varies: how long it takes
// race A: verdict=k-witness-harmless pattern=both-values-valid

/* A time limit that no execution comes near, unless its clock is set forward. */
#include <assert.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "../races/threads.h"

static long last;

static long now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

static void *work(void *which)
{
	last = (long)which; // race A
	usleep(500);
	return NULL;
}

int main(void)
{
	long begin = now();

	together(work, work);
	long took = now() - begin;
	assert(took < 600000000);
	printf("took %ld us\n", took);
	return 0;
}
