// allowed: done
// races: marked

/* A reference count whose last decrement does not acquire. */
#include "litmus.h"

static atomic_int references = 2;
static int value = 7;

static void drop(void)
{
	if (FETCH_ADD(references, -1, release) != 1)
		return;
	value = -1; // race: A
}

static void work(void)
{
	USE(value); // race: A
	drop();
}

THREAD(0) { work(); }

THREAD(1) { work(); }

MAIN("done")
