// allowed: 0 0
// allowed: 1 1
// allowed: 2 2
// forbidden: 1 0
// forbidden: 0 1
// forbidden: 2 1
// forbidden: 1 2
// races: none

/* All 64 bits of a value belong to one store. */
#include "litmus.h"

static atomic_ullong x;
static unsigned long long r1;

THREAD(0)
{
	STORE(x, 0x0000000100000001, relaxed);
	STORE(x, 0x0000000200000002, relaxed);
}

THREAD(1) { r1 = LOAD(x, relaxed); }

MAIN("%u %u", (unsigned)(r1 >> 32), (unsigned)r1)
