// flags: -pthread
// race A B C D: verdict=k-witness-harmless pattern=approximate-counter

/* Statistics decide only whether a monitor yields to the others: it is slower or faster, and prints the same. */
#include <sched.h>
#include <stdio.h>

#include "../races/threads.h"

static struct {
	long requests, bytes;
} load;

static int looks;

static void *serve(void *n)
{
	for (int i = 0; i < 2; i++) {
		load.requests++;             // race A B
		load.bytes += 100 * (long)n; // race C D
	}
	return NULL;
}

static void *monitor(void *unused)
{
	for (looks = 0; looks < 2; looks++)
		if (load.requests > 2 || // race B
		    load.bytes > 100)    // race D
			sched_yield();
	return unused;
}

int main(void)
{
	together(serve, serve, monitor);
	printf("%d looks\n", looks);
	return 0;
}
