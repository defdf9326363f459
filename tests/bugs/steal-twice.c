// expect: assertion
// at: take
// strategy: mixed random pct:3
// flags: -pthread

/* Work stealing: a thief reads the end of the queue and moves it in two operations, so two can take the same task. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#include "../races/threads.h"

#define TASKS 6

static atomic_int top, taken[TASKS];

static void take(int task)
{
	assert(atomic_fetch_add(&taken[task], 1) == 0); /* HERE */
}

static void *thief(void *unused)
{
	for (int i = 0; i < 2; i++) {
		int t = atomic_load(&top);
		if (t == TASKS)
			break;
		atomic_store(&top, t + 1);
		take(t);
	}
	return unused;
}

int main(void)
{
	together(thief, thief, thief);
	return 0;
}
