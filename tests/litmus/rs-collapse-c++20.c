// allowed: r1=0
// allowed: r1=1
// allowed: r1=10
// allowed: r1=2
// races: marked
// std: c++20

/* A later relaxed store by the second head ends both sequences, since C++20. */
#include "litmus.h"

static int first, second;
static atomic_int x;
static int r1;

THREAD(0)
{
	first = 1; // race: A
	STORE(x, 1, release);
}

THREAD(1)
{
	second = 1; // race: B
	while (!LOAD(x, relaxed))
		sched_yield();
	FETCH_ADD(x, 1, release);
	STORE(x, 10, relaxed);
}

THREAD(2)
{
	r1 = LOAD(x, acquire);
	if (r1 == 10) {
		USE(second); // race: B
		USE(first);  // race: A
	}
}

MAIN("r1=%d", r1)
