// allowed: done
// races: marked

/* Dekker's algorithm with fences, after Dijkstra's account (1965), around a plain counter. */
#include "../litmus.h"

#ifdef FIXED
#define memory_order_seeded memory_order_release
#else
#define memory_order_seeded memory_order_relaxed
#endif

static atomic_int wants[2], turn;
static int count;

static void lock(int me)
{
	STORE(wants[me], 1, relaxed);
	FENCE(seq_cst);
	while (LOAD(wants[!me], relaxed)) {
		if (LOAD(turn, relaxed) == me) {
			sched_yield();
			continue;
		}
		STORE(wants[me], 0, relaxed);
		while (LOAD(turn, relaxed) != me)
			sched_yield();
		STORE(wants[me], 1, relaxed);
		FENCE(seq_cst);
	}
	FENCE(acquire);
}

static void unlock(int me)
{
	STORE(turn, !me, relaxed);
	FENCE(seeded); // seeded: must be release
	STORE(wants[me], 0, relaxed);
}

static void work(int me)
{
	lock(me);
	count++; // race: A
	unlock(me);
}

THREAD(0) { work(0); }

THREAD(1) { work(1); }

MAIN("done")
