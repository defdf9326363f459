// flags: -pthread
// options: --interleavings 0
// race A B: verdict=output-differs
// race C: verdict=single-ordering adhoc=flag

/*
 * Two threads add up, a third waits for a flag that is set after both.  While a write of the sum is held only the
 * waiting thread runs, and it runs in circles; but the reads of the sum do not wait.
 */
#include <sched.h>
#include <stdio.h>

#include "../races/threads.h"

static int sum;
static volatile int done;

static void *add(void *unused)
{
	for (int i = 0; i < 3; i++) {
		int old = sum; // race A
		sum = old + i; // race A B
	}
	return unused;
}

static void *wait(void *unused)
{
	while (!done) // race C
		sched_yield();
	return unused;
}

int main(void)
{
	pthread_t waiting;

	pthread_create(&waiting, NULL, wait, NULL);
	together(add, add);
	done = 1; // race C
	pthread_join(waiting, NULL);
	printf("%d\n", sum); // output A B
	return 0;
}
