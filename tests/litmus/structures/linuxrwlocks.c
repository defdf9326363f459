// allowed: done
// races: marked

/* The reader-writer lock of Linux up to 3.x: one counter, minus one for each reader, minus WRITER for a writer. */
#include "../litmus.h"

#ifdef FIXED
#define memory_order_seeded memory_order_release
#else
#define memory_order_seeded memory_order_relaxed
#endif

enum { WRITER = 0x100000 };

static atomic_int lock = WRITER;
static int value;

static void read_lock(void)
{
	while (FETCH_ADD(lock, -1, acquire) <= 0) {
		FETCH_ADD(lock, 1, relaxed);
		while (LOAD(lock, relaxed) <= 0)
			sched_yield();
	}
}

static void read_unlock(void)
{
	FETCH_ADD(lock, 1, seeded); // seeded: must be release
}

static void write_lock(void)
{
	while (FETCH_ADD(lock, -WRITER, acquire) != WRITER) {
		FETCH_ADD(lock, WRITER, relaxed);
		while (LOAD(lock, relaxed) != WRITER)
			sched_yield();
	}
}

static void write_unlock(void) { FETCH_ADD(lock, WRITER, release); }

static void reader(void)
{
	for (int round = 0; round < 2; round++) {
		read_lock();
		USE(value); // race: A
		read_unlock();
	}
}

THREAD(0) { reader(); }

THREAD(1) { reader(); }

THREAD(2)
{
	for (int round = 0; round < 4; round++) {
		write_lock();
		value = round; // race: A
		write_unlock();
	}
}

MAIN("done")
