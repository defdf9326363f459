// flags: -pthread
// race A: verdict=spec-violated consequence=infinite-loop violation=infinite-loop

/* A server initialises its flag when it starts, and overwrites the stop request that came before. */
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>

#include "../races/threads.h"

static atomic_bool running = true;

static void *serve(void *unused)
{
	atomic_init(&running, true);  // race A
	while (atomic_load(&running)) // violation A
		sched_yield();        // violation A
	return unused;
}

static void *stop(void *unused)
{
	atomic_store(&running, false); // race A
	return unused;
}

int main(void)
{
	together(serve, stop);
	puts("stopped");
	return 0;
}
