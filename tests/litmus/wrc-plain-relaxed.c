// allowed: r1=0
// allowed: r1=1
// races: marked

/* The third thread sees the flag, but the middle one did not acquire: the message is not ordered. */
#include "litmus.h"

static int message;
static atomic_int x, y;
static int r1;

THREAD(0)
{
	message = 1; // race: A
	STORE(x, 1, release);
}

THREAD(1)
{
	if (LOAD(x, relaxed))
		STORE(y, 1, release);
}

THREAD(2)
{
	r1 = LOAD(y, acquire);
	if (r1)
		USE(message); // race: A
}

MAIN("r1=%d", r1)
