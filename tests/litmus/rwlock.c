// allowed: r1=0
// allowed: r1=1
// races: none

/* A lock for readers and a writer in one counter; read-modify-writes that fail continue the release sequence. */
#include "litmus.h"

enum { WRITER = 0x100000 };

static atomic_int lock = WRITER; /* minus one for each reader, minus WRITER for the writer */
static int value, r1;

THREAD(0)
{
	while (FETCH_ADD(lock, -WRITER, acquire) != WRITER) {
		FETCH_ADD(lock, WRITER, relaxed);
		sched_yield();
	}
	value = 1;
	FETCH_ADD(lock, WRITER, release);
}

THREAD(1)
{
	while (FETCH_ADD(lock, -1, acquire) <= 0) {
		FETCH_ADD(lock, 1, relaxed);
		sched_yield();
	}
	r1 = value;
	FETCH_ADD(lock, 1, release);
}

MAIN("r1=%d", r1)
