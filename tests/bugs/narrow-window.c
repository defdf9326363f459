// expect: assertion
// at: visitor
// strategy: mixed pct:3
// flags: -pthread

/* Order violation: the wrong state exists only between the 20th and the 21st operation of the other thread. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#include "../races/threads.h"

static atomic_int phase;

static void *visitor(void *unused)
{
	assert(atomic_load(&phase) != 20); /* HERE */
	return unused;
}

static void *worker(void *unused)
{
	for (int i = 1; i <= 40; i++)
		atomic_store(&phase, i);
	return unused;
}

int main(void)
{
	together(visitor, worker);
	return 0;
}
