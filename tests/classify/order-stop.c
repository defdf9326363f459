// flags: -pthread
// race A C: verdict=single-ordering adhoc=flag pattern=user-synchronisation
// race B D: verdict=single-ordering adhoc=data pattern=user-synchronisation

/* Main tells a worker to stop and waits for its answer; only then main frees what the worker used. */
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

#include "../races/threads.h"

static volatile int stop, stopped;
static int *buffer;

static void *work(void *unused)
{
	while (!stop) // race A
		sched_yield();
	*buffer = 5; // race B D
	stopped = 1; // race C
	return unused;
}

static void *shut_down(void *unused)
{
	stop = 1;        // race A
	while (!stopped) // race C
		sched_yield();
	printf("%d\n", *buffer); // race B
	free(buffer);            // race D
	return unused;
}

int main(void)
{
	buffer = calloc(1, sizeof *buffer);
	together(work, shut_down);
	return 0;
}
