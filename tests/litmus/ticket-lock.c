// allowed: count=3
// forbidden: count=1
// forbidden: count=2
// races: none

/* A ticket lock. */
#include "litmus.h"

static atomic_int next, serving;
static int count;

static void work(void)
{
	int ticket = FETCH_ADD(next, 1, relaxed);

	while (LOAD(serving, acquire) != ticket)
		sched_yield();
	count++;
	STORE(serving, ticket + 1, release);
}

THREAD(0) { work(); }

THREAD(1) { work(); }

THREAD(2) { work(); }

MAIN("count=%d", count)
