// allowed: inside=00
// allowed: inside=01
// allowed: inside=10
// allowed: inside=11
// races: marked

/* Store and load without any order: both threads enter. */
#include "litmus.h"

static atomic_int wants[2];
static int inside[2], count;

static void work(int me)
{
	STORE(wants[me], 1, relaxed);
	if (LOAD(wants[!me], relaxed))
		return;
	inside[me] = 1;
	count++; // race: A
}

THREAD(0) { work(0); }

THREAD(1) { work(1); }

MAIN("inside=%d%d", inside[0], inside[1])
