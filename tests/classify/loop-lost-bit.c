// flags: -pthread
// race A: verdict=spec-violated consequence=infinite-loop violation=infinite-loop

/* Each of two threads sets its bit in a word; one gets lost, and a thread that waits for both waits for ever. */
#include <sched.h>
#include <stdio.h>

#include "../races/threads.h"

static volatile unsigned done;

static void *work(void *n)
{
	done |= 1u << (long)n; // race A
	return NULL;
}

int main(void)
{
	together(work, work);
	while (done != 3)      // violation A
		sched_yield(); // violation A
	puts("both done");
	return 0;
}
