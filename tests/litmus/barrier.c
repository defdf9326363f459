// allowed: seen=11
// forbidden: seen=01
// forbidden: seen=10
// forbidden: seen=00
// races: none

/* A sense-reversing barrier. */
#include "litmus.h"

static atomic_int missing = 2, sense;
static int cells[2], seen[2];

static void wait(void)
{
	int mine = !LOAD(sense, relaxed);

	if (FETCH_ADD(missing, -1, acq_rel) == 1) {
		STORE(missing, 2, relaxed);
		STORE(sense, mine, release);
		return;
	}
	while (LOAD(sense, acquire) != mine)
		sched_yield();
}

static void work(int me)
{
	cells[me] = 1;
	wait();
	seen[me] = cells[!me];
}

THREAD(0) { work(0); }

THREAD(1) { work(1); }

MAIN("seen=%d%d", seen[0], seen[1])
