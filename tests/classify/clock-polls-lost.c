// flags: -pthread
// race A: verdict=output-differs stream=log

/* The number of lines depends on the clock; the text of the last one does not. */
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "../races/threads.h"

static int served;

static long now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

static void *work(void *which)
{
	served++; // race A
	usleep(500);
	return which;
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
	fprintf(file, "served %d\n", served); // output A
	return fclose(file);
}
