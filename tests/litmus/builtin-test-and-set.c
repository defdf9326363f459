// allowed: r1=0 r2=1
// allowed: r1=1 r2=0
// forbidden: r1=0 r2=0
// races: none

/* __atomic_test_and_set and __atomic_clear pass a message on. */
#include "litmus.h"

static int message;
static char busy = 1;
static int r1, r2;

THREAD(0)
{
	message = 1;
	__atomic_clear(&busy, __ATOMIC_RELEASE);
}

THREAD(1)
{
	r1 = __atomic_test_and_set(&busy, __ATOMIC_ACQUIRE);
	if (!r1)
		r2 = message;
}

MAIN("r1=%d r2=%d", r1, r2)
