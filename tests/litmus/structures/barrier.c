// allowed: done
// races: marked

/* A sense-reversing barrier: each thread writes a cell that the next one reads. */
#include "../litmus.h"

#ifdef FIXED
#define memory_order_seeded memory_order_release
#else
#define memory_order_seeded memory_order_relaxed
#endif

enum { THREADS = 3 };

static atomic_int missing = THREADS, sense;
static int cells[THREADS];

static void wait(void)
{
	int mine = !LOAD(sense, relaxed);

	if (FETCH_ADD(missing, -1, acq_rel) == 1) {
		STORE(missing, THREADS, relaxed);
		STORE(sense, mine, seeded); // seeded: must be release
		return;
	}
	while (LOAD(sense, acquire) != mine)
		sched_yield();
}

static void work(int me)
{
	cells[me] = me; // race: A
	wait();
	USE(cells[(me + 1) % THREADS]); // race: A
}

THREAD(0) { work(0); }

THREAD(1) { work(1); }

THREAD(2) { work(2); }

MAIN("done")
