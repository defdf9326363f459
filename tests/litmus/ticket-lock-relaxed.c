// allowed: done
// races: marked

/* A ticket lock whose unlock does not release. */
#include "litmus.h"

static atomic_int next, serving;
static int count;

static void work(void)
{
	int ticket = FETCH_ADD(next, 1, relaxed);

	while (LOAD(serving, acquire) != ticket)
		sched_yield();
	count++; // race: A
	STORE(serving, ticket + 1, relaxed);
}

THREAD(0) { work(); }

THREAD(1) { work(); }

THREAD(2) { work(); }

MAIN("done")
