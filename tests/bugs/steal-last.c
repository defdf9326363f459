// expect: assertion
// at: take
// strategy: mixed random pct:3
// flags: -pthread

/* Work stealing: the owner takes the last task without testing whether a thief has taken it. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#include "../races/threads.h"

#define TASKS 4

static atomic_int top, bottom, taken[TASKS];

static void take(int task)
{
	assert(atomic_fetch_add(&taken[task], 1) == 0); /* HERE */
}

static void *owner(void *unused)
{
	for (int i = 0; i < TASKS; i++)
		atomic_fetch_add(&bottom, 1);
	for (;;) {
		int b = atomic_fetch_sub(&bottom, 1) - 1;
		if (atomic_load(&top) > b)
			break;
		take(b);
	}
	return unused;
}

static void *thief(void *unused)
{
	int t = atomic_load(&top);

	if (t < atomic_load(&bottom) && atomic_compare_exchange_strong(&top, &t, t + 1))
		take(t);
	return unused;
}

int main(void)
{
	together(owner, thief);
	return 0;
}
