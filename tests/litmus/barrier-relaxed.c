// allowed: done
// races: marked

/* The last thread opens the barrier without release. */
#include "litmus.h"

static atomic_int missing = 2, sense;
static int cells[2];

static void wait(void)
{
	int mine = !LOAD(sense, relaxed);

	if (FETCH_ADD(missing, -1, acq_rel) == 1) {
		STORE(missing, 2, relaxed);
		STORE(sense, mine, relaxed);
		return;
	}
	while (LOAD(sense, acquire) != mine)
		sched_yield();
}

static void work(int me)
{
	cells[me] = 1; // race: A
	wait();
	USE(cells[!me]); // race: A
}

THREAD(0) { work(0); }

THREAD(1) { work(1); }

MAIN("done")
