// allowed: r1=0
// allowed: r1=1
// allowed: r1=2
// races: marked

/* A relaxed store before the head is not part of the sequence. */
#include "litmus.h"

static int message;
static atomic_int x;
static int r1;

THREAD(0)
{
	STORE(x, 1, relaxed);
	message = 1; // race: A
	STORE(x, 2, release);
}

THREAD(1)
{
	r1 = LOAD(x, acquire);
	if (r1 == 1)
		USE(message); // race: A
}

MAIN("r1=%d", r1)
