// allowed: stable=0 a=-1 b=-1
// allowed: stable=1 a=0 b=0
// allowed: stable=1 a=0 b=1
// allowed: stable=1 a=1 b=0
// allowed: stable=1 a=1 b=1
// races: none

/* Without the fence the second read of the number can be older than the data. */
#include "litmus.h"

static atomic_int sequence, a, b;
static int r1, r2, stable;

THREAD(0)
{
	STORE(sequence, 1, relaxed);
	FENCE(release);
	STORE(a, 1, relaxed);
	STORE(b, 1, relaxed);
	STORE(sequence, 2, release);
}

THREAD(1)
{
	int before = LOAD(sequence, acquire);

	r1 = LOAD(a, relaxed);
	r2 = LOAD(b, relaxed);
	stable = before != 1 && LOAD(sequence, relaxed) == before;
	if (!stable)
		r1 = r2 = -1;
}

MAIN("stable=%d a=%d b=%d", stable, r1, r2)
