// flags: -pthread
// race A: verdict=spec-violated consequence=deadlock violation=deadlock

/* A thread that sees the end of the phase does not come to the barrier; the other one has not seen it and waits there. */
#include <stdbool.h>
#include <stdio.h>

#include "../races/threads.h"

static pthread_barrier_t barrier;
static volatile bool over;

static void *work(void *unused)
{
	if (!over)                              // race A
		pthread_barrier_wait(&barrier); // violation A
	return unused;
}

static void *finish(void *unused)
{
	over = true; // race A
	return unused;
}

int main(void)
{
	pthread_barrier_init(&barrier, NULL, 2);
	together(work, work, finish);
	puts("over");
	return 0;
}
