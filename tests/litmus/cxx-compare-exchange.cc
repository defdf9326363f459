// allowed: r1=0 r2=0
// allowed: r1=1 r2=1
// forbidden: r1=1 r2=0
// races: none

// compare_exchange_strong with one order: when it fails, acq_rel becomes acquire.
#include "litmus.h"

static int message;
static std::atomic<int> x;
static int r1, r2;

THREAD(0)
{
	message = 1;
	x.store(1, std::memory_order_release);
}

THREAD(1)
{
	int old = 7;

	x.compare_exchange_strong(old, 8, std::memory_order_acq_rel);
	r1 = old;
	if (r1 == 1)
		r2 = message;
}

MAIN("r1=%d r2=%d", r1, r2)
