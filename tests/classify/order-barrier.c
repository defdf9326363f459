// flags: -pthread
// race A: verdict=single-ordering adhoc=data pattern=user-synchronisation
// race B: verdict=single-ordering adhoc=flag pattern=user-synchronisation

/* A barrier with one flag for each thread: all have written their half before any thread reads the other's. */
#include <sched.h>
#include <stdio.h>

#include "../races/threads.h"

static volatile int arrived[2];
static int half[2], whole[2];

static void *work(void *number)
{
	long n = (long)number;

	half[n] = 10 + (int)n;  // race A
	arrived[n] = 1;         // race B
	while (!arrived[1 - n]) // race B
		sched_yield();
	whole[n] = half[n] + half[1 - n]; // race A
	return NULL;
}

int main(void)
{
	together(work, work);
	printf("%d %d\n", whole[0], whole[1]);
	return 0;
}
