// allowed: r1=0
// allowed: r1=1
// races: marked

/* A plain message behind a relaxed flag. */
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
	USE(message); // race: A
}

MAIN("r1=%d", r1)
