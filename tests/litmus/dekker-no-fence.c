// allowed: done
// races: marked

/* Dekker's algorithm without the fence between the store and the load. */
#include "litmus.h"

static atomic_int wants[2], turn;
static int count;

static void work(int me)
{
	STORE(wants[me], 1, relaxed);
	while (LOAD(wants[!me], relaxed)) {
		if (LOAD(turn, relaxed) == me)
			continue;
		STORE(wants[me], 0, relaxed);
		while (LOAD(turn, relaxed) != me)
			sched_yield();
		STORE(wants[me], 1, relaxed);
		FENCE(seq_cst);
	}
	FENCE(acquire);
	count++; // race: A
	STORE(turn, !me, relaxed);
	FENCE(release);
	STORE(wants[me], 0, relaxed);
}

THREAD(0) { work(0); }

THREAD(1) { work(1); }

MAIN("done")
