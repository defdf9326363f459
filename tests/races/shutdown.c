// flags: -pthread

/* A plain flag asks a worker to stop. */
#include <sched.h>
#include <stdbool.h>

#include "threads.h"

static bool stop;

static void *work(void *unused)
{
	for (int i = 0; i < 10 && !stop; i++) // race A
		sched_yield();
	return unused;
}

static void *shut_down(void *unused)
{
	stop = true; // race A
	return unused;
}

int main(void)
{
	together(work, work, shut_down);
	return 0;
}
