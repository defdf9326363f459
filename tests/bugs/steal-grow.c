// expect: assertion
// at: thief
// strategy: mixed pct:3
// flags: -pthread

/* Work stealing: the queue grows and drops its old array, from which a thief still takes its task. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#include "../races/threads.h"

#define GONE -1

static atomic_int small[4], large[16], bottom;
static _Atomic(atomic_int *) tasks = small;

static void grow(void)
{
	for (int i = 0; i < 4; i++)
		atomic_store(&large[i], atomic_load(&small[i]));
	atomic_store(&tasks, large);
	for (int i = 0; i < 4; i++)
		atomic_store(&small[i], GONE);
}

static void *owner(void *unused)
{
	for (int i = 0; i < 8; i++) {
		if (i == 4)
			grow();
		atomic_store(&atomic_load(&tasks)[i], 10 + i);
		atomic_store(&bottom, i + 1);
	}
	return unused;
}

static void *thief(void *unused)
{
	if (atomic_load(&bottom) > 0)
		assert(atomic_load(&atomic_load(&tasks)[0]) != GONE); /* HERE */
	return unused;
}

int main(void)
{
	together(owner, thief);
	return 0;
}
