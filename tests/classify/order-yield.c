// flags: -pthread
// race A: verdict=single-ordering adhoc=data pattern=user-synchronisation
// race B: verdict=single-ordering adhoc=flag pattern=user-synchronisation

/* Workers wait at a gate, yielding, until the options are read. */
#include <sched.h>
#include <stdio.h>

#include "../races/threads.h"

static struct {
	int level;
} options;

static int open_gate;
static int level[2];

static void *read_options(void *unused)
{
	options.level = 7; // race A
	open_gate = 1;     // race B
	return unused;
}

static void *work(void *n)
{
	while (!open_gate) // race B
		sched_yield();
	level[(long)n - 1] = options.level; // race A
	return NULL;
}

int main(void)
{
	together(read_options, work, work);
	printf("%d %d\n", level[0], level[1]);
	return 0;
}
