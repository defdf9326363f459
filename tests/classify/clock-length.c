// flags: -pthread
// varies: how long it takes
// race A: verdict=k-witness-harmless pattern=both-values-valid

/* Each thread prints how many microseconds it took, in 1 to 5 digits, and in which second. */
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
	long begin = now();

	last = (long)which; // race A
	if ((long)which)
		usleep(9995);
	printf("worker %ld of 2: %ld us, %ld s\n", (long)which, now() - begin, (now() - begin) / 1000000);
	return NULL;
}

int main(void)
{
	together(work, work);
	return 0;
}
