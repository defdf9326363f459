// allowed: done
// races: marked

/* The reader unlocks without release: the writer is not ordered after its read. */
#include "litmus.h"

enum { WRITER = 0x100000 };

static atomic_int lock = WRITER; /* minus one for each reader, minus WRITER for the writer */
static int value;

THREAD(0)
{
	while (FETCH_ADD(lock, -WRITER, acquire) != WRITER) {
		FETCH_ADD(lock, WRITER, relaxed);
		sched_yield();
	}
	value = 1; // race: A
	FETCH_ADD(lock, WRITER, release);
}

THREAD(1)
{
	while (FETCH_ADD(lock, -1, acquire) <= 0) {
		FETCH_ADD(lock, 1, relaxed);
		sched_yield();
	}
	USE(value); // race: A
	FETCH_ADD(lock, 1, relaxed);
}

MAIN("done")
