// expect: assertion
// at: visitor
// strategy: mixed pct:3
// flags: -pthread

/* Order violation: what the visitor must not see is there between two operations of the other thread, the 20th and the 21st. */
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
