// allowed: done
// races: marked

/* The reader announces without release that it holds nothing. */
#include "litmus.h"

static int objects[2] = {1};
static _Atomic(int *) current = &objects[0];
static atomic_int quiescent;

THREAD(0)
{
	int *object = LOAD(current, acquire);

	USE(*object); // race: A
	STORE(quiescent, 1, relaxed);
}

THREAD(1)
{
	objects[1] = 2;
	STORE(current, &objects[1], release);
	while (!LOAD(quiescent, acquire))
		sched_yield();
	objects[0] = -1; // race: A
}

MAIN("done")
