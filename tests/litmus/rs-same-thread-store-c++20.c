// allowed: r1=0
// allowed: r1=1
// allowed: r1=2
// races: marked
// std: c++20

/* A later relaxed store by the same thread ends the release sequence, since C++20. */
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

THREAD(1)
{
	r1 = LOAD(x, acquire);
	if (r1 == 2)
		USE(message); // race: A
}

MAIN("r1=%d", r1)
