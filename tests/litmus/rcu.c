// allowed: r1=1
// allowed: r1=2
// forbidden: r1=-1
// forbidden: r1=0
// races: none

/* The old object is destroyed after the reader has announced that it holds none. */
#include "litmus.h"

static int objects[2] = {1};
static _Atomic(int *) current = &objects[0];
static atomic_int quiescent;
static int r1;

THREAD(0)
{
	int *object = LOAD(current, acquire);

	r1 = *object;
	STORE(quiescent, 1, release);
}

THREAD(1)
{
	objects[1] = 2;
	STORE(current, &objects[1], release);
	while (!LOAD(quiescent, acquire))
		sched_yield();
	objects[0] = -1;
}

MAIN("r1=%d", r1)
