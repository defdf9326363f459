// allowed: done
// races: marked

/* Without the fences a thread uses the object while another destroys it. */
#include "litmus.h"

static int objects[2] = {1, 2};
static _Atomic(int *) current = &objects[0], hazard;

THREAD(0)
{
	int *object = LOAD(current, acquire);

	STORE(hazard, object, relaxed);
	if (LOAD(current, acquire) == object)
		USE(*object); // race: A
	STORE(hazard, NULL, release);
}

THREAD(1)
{
	STORE(current, &objects[1], release);
	if (LOAD(hazard, acquire) != &objects[0])
		objects[0] = -1; // race: A
}

MAIN("done")
