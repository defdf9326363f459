// allowed: r1=0 r2=0
// allowed: r1=1 r2=0
// allowed: r1=10 r2=1
// allowed: r1=2 r2=0
// forbidden: r1=10 r2=0
// races: marked
// std: c11

/* A later store by the second head continues its own sequence and ends the first. */
#include "litmus.h"

static int first, second;
static atomic_int x;
static int r1, r2;

THREAD(0)
{
	first = 1; // race: A
	STORE(x, 1, release);
}

THREAD(1)
{
	second = 1;
	while (!LOAD(x, relaxed))
		sched_yield();
	FETCH_ADD(x, 1, release);
	STORE(x, 10, relaxed);
}

THREAD(2)
{
	r1 = LOAD(x, acquire);
	if (r1 == 10) {
		r2 = second;
		USE(first); // race: A
	}
}

MAIN("r1=%d r2=%d", r1, r2)
