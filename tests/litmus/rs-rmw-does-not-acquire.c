// allowed: r1=0
// allowed: r1=1
// races: marked

/* A read-modify-write that continues a release sequence does not acquire it. */
#include "litmus.h"

static int message;
static atomic_int x;
static int r1;

THREAD(0)
{
	message = 1; // race: A
	STORE(x, 1, release);
}

THREAD(1)
{
	r1 = FETCH_ADD(x, 1, relaxed);
	if (r1 == 1)
		USE(message); // race: A
}

MAIN("r1=%d", r1)
