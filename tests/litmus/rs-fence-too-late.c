// allowed: r1=0
// allowed: r1=1
// allowed: r1=2
// races: marked

/* A release fence after the store does not affect it, although a read-modify-write follows. */
#include "litmus.h"

static int message;
static atomic_int x;
static int r1;

THREAD(0)
{
	message = 1; // race: A
	STORE(x, 1, relaxed);
	FENCE(release);
}

THREAD(1) { FETCH_ADD(x, 1, relaxed); }

THREAD(2)
{
	r1 = LOAD(x, acquire);
	if (r1 == 2)
		USE(message); // race: A
}

MAIN("r1=%d", r1)
