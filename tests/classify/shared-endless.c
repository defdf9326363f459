// flags: -pthread
// race A: verdict=spec-violated consequence=infinite-loop violation=infinite-loop
// race B: verdict=single-ordering adhoc=flag
// race C: verdict=k-witness-harmless pattern=none
// variant: -DFIX_C = infinite-loop

/* A thread that clears the flag before it waits for it can clear what was to end the wait. */
#include <stdio.h>

#include "../races/threads.h"

static volatile int stop = 1;
#ifdef FIX_C
static _Thread_local int turns;
#else
static long turns;
#endif

static void *wait_for_stop(void *unused)
{
	turns++; // race C
	stop = 0; // race A
	while (!stop) // race B violation A
		;
	return unused;
}

static void *stop_it(void *unused)
{
	turns++; // race C
	stop = 1; // race A B
	return unused;
}

int main(void)
{
	together(wait_for_stop, stop_it);
	puts("stopped");
	return 0;
}
