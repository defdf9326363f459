// allowed: r1=0
// allowed: r1=1
// races: marked

/* An order in S is not happens-before: the load reads the older value, and both threads access the message. */
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
