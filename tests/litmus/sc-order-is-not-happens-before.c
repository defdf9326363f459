// allowed: r1=0
// allowed: r1=1
// races: marked

/* To come first in S is not to happen before: the load reads the older value and the message is touched by both. */
#include "litmus.h"

static int message;
static atomic_int x;
static int r1;

THREAD(0)
{
	message = 1; // race: A
	x = 1;
}

THREAD(1)
{
	r1 = x;
	USE(message); // race: A
}

MAIN("r1=%d", r1)
