// flags: -pthread
// options: --interleavings 0
// race A: verdict=k-witness-harmless pattern=both-values-valid
// race B: verdict=single-ordering adhoc=flag

/* The waiter reads the level in each round too, and reads it last: it does not wait for that. */
#include <sched.h>
#include <stdio.h>

#include "../races/threads.h"

static volatile int level, done;

static void *fill(void *unused)
{
	level = 1; // race A
	done = 1;  // race B
	return unused;
}

static void *wait(void *unused)
{
	int seen = 0, last;

	do {
		last = done; // race B
		seen |= level > 0; // race A
		sched_yield();
	} while (!last);
	return seen >= 0 ? unused : NULL;
}

int main(void)
{
	together(wait, fill);
	puts("filled");
	return 0;
}
