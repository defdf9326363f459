// allowed: r1=0
// allowed: r1=1
// allowed: r1=2
// races: marked

/* The store of another thread ends the sequence of a release fence, too. */
#include "litmus.h"

static int message;
static atomic_int x;
static int r1;

THREAD(0)
{
	message = 1; // race: A
	FENCE(release);
	STORE(x, 1, relaxed);
}

THREAD(1) { STORE(x, 2, relaxed); }

THREAD(2)
{
	r1 = LOAD(x, acquire);
	if (r1 == 2)
		USE(message); // race: A
}

MAIN("r1=%d", r1)
