// flags: -pthread
// options: --interleavings 0
// race A: verdict=output-differs

/* The waiter gives up after eight reads: only an execution that leaves the other thread waiting for a while shows it. */
#include <sched.h>
#include <stdio.h>

#include "../races/threads.h"

static volatile int ready;

static void *prepare(void *unused)
{
	ready = 1; // race A
	return unused;
}

static void *wait(void *unused)
{
	int i = 0;

	while (i < 8 && !ready) { // race A
		sched_yield();
		i++;
	}
	puts(i < 8 ? "ready" : "given up"); // output A
	return unused;
}

int main(void)
{
	together(prepare, wait);
	return 0;
}
