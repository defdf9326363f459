// flags: -pthread
// options: --interleavings 0
// race A: verdict=k-witness-harmless pattern=both-values-valid
// race B: verdict=single-ordering adhoc=flag

/* The waiter sleeps in each round, and another thread writes the level then: that does not end the waiting. */
#include <stdio.h>
#include <unistd.h>

#include "../races/threads.h"

static volatile int level, done;
static int work[100];

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
		usleep(1000);
	} while (!last);
	return seen >= 0 ? unused : NULL;
}

static void *toil(void *unused)
{
	for (int i = 0; i < 500; i++) {
		work[i % 100]++;
		usleep(500);
	}
	return unused;
}

int main(void)
{
	together(wait, fill, toil);
	puts("filled");
	return 0;
}
