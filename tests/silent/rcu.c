// flags: -pthread

/* RCU: readers announce themselves, the writer publishes a new version and waits for the readers of the old one. */
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "../races/threads.h"

static int *_Atomic current;
static atomic_int reading[2];

static int *make(int value)
{
	int *p = malloc(sizeof *p);

	*p = value;
	return p;
}

static void *reader(void *number)
{
	atomic_int *mine = &reading[(long)number];
	int sum = 0;

	for (int i = 0; i < 2; i++) {
		atomic_store(mine, 1);
		sum += *atomic_load(&current);
		atomic_store(mine, 0);
	}
	return (void *)(long)sum;
}

static void *writer(void *unused)
{
	for (int i = 2; i < 4; i++) {
		int *old = atomic_exchange(&current, make(i));
		for (int r = 0; r < 2; r++)
			while (atomic_load(&reading[r]))
				sched_yield();
		*old = -1;
		free(old);
	}
	return unused;
}

int main(void)
{
	atomic_init(&current, make(1));
	together(reader, reader, writer);
	free(current);
	return 0;
}
