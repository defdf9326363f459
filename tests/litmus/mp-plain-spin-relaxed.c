// allowed: r1=1
// races: marked

/* Waiting long enough is not synchronisation. */
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
	while (!(r1 = LOAD(flag, relaxed)))
		sched_yield();
	USE(message); // race: A
}

MAIN("r1=%d", r1)
