// allowed: r1=0
// allowed: r1=1
// races: marked

/* The flag is acquired, but the thread does not test whether it was set. */
#include "litmus.h"

static int message;
static atomic_int flag;
static int r1;

THREAD(0)
{
	message = 1; // race: A
	STORE(flag, 1, release);
}

THREAD(1)
{
	r1 = LOAD(flag, acquire);
	USE(message); // race: A
}

MAIN("r1=%d", r1)
