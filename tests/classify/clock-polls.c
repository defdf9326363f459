// flags: -pthread
// varies: how often it is asked whether it is time
// race A: verdict=k-witness-harmless pattern=both-values-valid

/* The number of lines depends on the clock, and each has a time. */
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
	FILE *file = fopen("log", "w");

	together(work, work);
	long begin = now();
	for (long t = begin; t < begin + 5000; t = now()) {
		fprintf(file, "7 of 9: %ld us\n", t);
		usleep(1000);
	}
	return fclose(file);
}
