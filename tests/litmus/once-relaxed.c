// allowed: done
// races: marked

/* The other thread waits without acquire. */
#include "litmus.h"

enum { NEW, BUSY, DONE };

static atomic_int state = NEW;
static int value;

static void get(void)
{
	int old = NEW;

	if (CAS(state, &old, BUSY, acquire, relaxed)) {
		value = 42; // race: A
		STORE(state, DONE, release);
	} else {
		while (LOAD(state, relaxed) != DONE)
			sched_yield();
	}
	USE(value); // race: A
}

THREAD(0) { get(); }

THREAD(1) { get(); }

MAIN("done")
