// flags: -pthread
// race A: verdict=k-witness-harmless pattern=both-values-valid

/* A worker stops when it is told to, after as many jobs as it had time for; the rest is done at the end. */
#include <stdbool.h>
#include <stdio.h>

#include "../races/threads.h"

#define JOBS 5

static bool stop;
static int next_job, done;

static void *work(void *unused)
{
	while (next_job < JOBS && !stop) // race A
		done += ++next_job;
	return unused;
}

static void *shut_down(void *unused)
{
	stop = true; // race A
	return unused;
}

int main(void)
{
	together(work, shut_down);
	while (next_job < JOBS)
		done += ++next_job;
	printf("%d\n", done);
	return 0;
}
