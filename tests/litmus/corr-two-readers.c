// allowed: -- --
// allowed: -- 12
// allowed: -- 21
// allowed: 12 --
// allowed: 12 12
// allowed: 21 --
// allowed: 21 21
// forbidden: 12 21
// forbidden: 21 12
// races: none

/* Two readers agree on the order of two stores to one object. */
#include "litmus.h"

static atomic_int x;
static int r1, r2, r3, r4;

THREAD(0) { STORE(x, 1, relaxed); }

THREAD(1) { STORE(x, 2, relaxed); }

THREAD(2)
{
	r1 = LOAD(x, relaxed);
	r2 = LOAD(x, relaxed);
}

THREAD(3)
{
	r3 = LOAD(x, relaxed);
	r4 = LOAD(x, relaxed);
}

/* What a reader knows about the order. */
static const char *order(int first, int second)
{
	return first == 1 && second == 2 ? "12" : first == 2 && second == 1 ? "21" : "--";
}

MAIN("%s %s", order(r1, r2), order(r3, r4))
