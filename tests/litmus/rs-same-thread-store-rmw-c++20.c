// allowed: r1=0
// allowed: r1=1
// allowed: r1=10
// allowed: r1=11
// allowed: r1=12
// allowed: r1=2
// races: marked
// std: c++20

/* After a relaxed store a read-modify-write continues no sequence, since C++20. */
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

THREAD(1) { FETCH_ADD(x, 10, relaxed); }

THREAD(2)
{
	r1 = LOAD(x, acquire);
	if (r1 == 12)
		USE(message); // race: A
}

MAIN("r1=%d", r1)
