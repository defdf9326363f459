// allowed: r1=0
// allowed: r1=1
// allowed: r1=2
// allowed: r1=3
// races: marked

/* Head and later store of one thread; if the store of another comes between them, the sequence has ended. */
#include "litmus.h"

static int message;
static atomic_int x;
static int r1;

THREAD(0)
{
	message = 1; // race: A
	STORE(x, 1, release);
	STORE(x, 2, relaxed);
}

THREAD(1) { STORE(x, 3, relaxed); }

THREAD(2)
{
	r1 = LOAD(x, acquire);
	if (r1 == 2)
		USE(message); // race: A
}

MAIN("r1=%d", r1)
