// allowed: r1=0
// allowed: r1=1
// races: marked

/* The release fence covers what precedes it, not what stands between it and the store. */
#include "litmus.h"

static int before, after;
static atomic_int flag;
static int r1;

THREAD(0)
{
	before = 1;
	FENCE(release);
	after = 1; // race: A
	STORE(flag, 1, relaxed);
}

THREAD(1)
{
	r1 = LOAD(flag, acquire);
	if (!r1)
		return;
	USE(before);
	USE(after); // race: A
}

MAIN("r1=%d", r1)
