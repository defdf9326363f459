// allowed: r1=0 r2=0
// allowed: r1=1 r2=0
// allowed: r1=2 r2=1
// forbidden: r1=2 r2=0
// races: marked

/* A release store by another thread ends the sequence as well, and heads its own. */
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
	STORE(x, 2, release);
}

THREAD(2)
{
	r1 = LOAD(x, acquire);
	if (r1 == 2) {
		r2 = second;
		USE(first); // race: A
	}
}

MAIN("r1=%d r2=%d", r1, r2)
