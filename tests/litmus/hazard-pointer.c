// allowed: r1=0 first=-1
// allowed: r1=0 first=1
// allowed: r1=1 first=-1
// allowed: r1=1 first=1
// allowed: r1=2 first=-1
// forbidden: r1=-1 first=-1
// races: none

/* A hazard pointer: announce the object, fence, test that it is still current; if not, it may be gone. */
#include "litmus.h"

static int objects[2] = {1, 2};
static _Atomic(int *) current = &objects[0], hazard;
static int r1;

THREAD(0)
{
	int *object = LOAD(current, acquire);

	STORE(hazard, object, relaxed);
	FENCE(seq_cst);
	if (LOAD(current, acquire) == object)
		r1 = *object;
	STORE(hazard, NULL, release);
}

THREAD(1)
{
	STORE(current, &objects[1], release);
	FENCE(seq_cst);
	if (LOAD(hazard, acquire) != &objects[0])
		objects[0] = -1;
}

MAIN("r1=%d first=%d", r1, objects[0])
