// allowed: r1=42 r2=42
// forbidden: r1=0 r2=42
// forbidden: r1=42 r2=0
// races: none

/* One of two threads initialises, the other waits. */
#include "litmus.h"

enum { NEW, BUSY, DONE };

static atomic_int state = NEW;
static int value, r1, r2;

static int get(void)
{
	int old = NEW;

	if (CAS(state, &old, BUSY, acquire, acquire)) {
		value = 42;
		STORE(state, DONE, release);
	} else {
		while (LOAD(state, acquire) != DONE)
			sched_yield();
	}
	return value;
}

THREAD(0) { r1 = get(); }

THREAD(1) { r2 = get(); }

MAIN("r1=%d r2=%d", r1, r2)
