// allowed: r1=0
// allowed: r1=1
// races: marked

/* The acquire fence without the release fence. */
#include "litmus.h"

static int message;
static atomic_int flag;
static int r1;

THREAD(0)
{
	message = 1; // race: A
	STORE(flag, 1, relaxed);
}

THREAD(1)
{
	r1 = LOAD(flag, relaxed);
	if (!r1)
		return;
	FENCE(acquire);
	USE(message); // race: A
}

MAIN("r1=%d", r1)
