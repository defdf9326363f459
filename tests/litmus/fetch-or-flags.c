// allowed: r1=0 r2=0
// allowed: r1=1 r2=1
// allowed: r1=2 r2=0
// allowed: r1=3 r2=1
// forbidden: r1=1 r2=0
// forbidden: r1=3 r2=0
// races: none

/* Flags in one word: setting another flag with a relaxed fetch_or keeps the release of the first. */
#include "litmus.h"

static int message;
static atomic_uint flags;
static int r1, r2;

THREAD(0)
{
	message = 1;
	atomic_fetch_or_explicit(&flags, 1, memory_order_release);
}

THREAD(1) { atomic_fetch_or_explicit(&flags, 2, memory_order_relaxed); }

THREAD(2)
{
	r1 = LOAD(flags, acquire);
	if (r1 & 1)
		r2 = message;
}

MAIN("r1=%d r2=%d", r1, r2)
