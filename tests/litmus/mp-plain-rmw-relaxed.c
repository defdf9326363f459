// allowed: r1=0
// allowed: r1=1
// races: marked

/* A plain message behind relaxed read-modify-writes. */
#include "litmus.h"

static int message;
static atomic_int flag;
static int r1;

THREAD(0)
{
	message = 1; // race: A
	FETCH_ADD(flag, 1, relaxed);
}

THREAD(1)
{
	r1 = FETCH_ADD(flag, 0, relaxed);
	if (!r1)
		return;
	USE(message); // race: A
}

MAIN("r1=%d", r1)
