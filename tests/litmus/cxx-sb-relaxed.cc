// allowed: r1=0 r2=0
// allowed: r1=0 r2=1
// allowed: r1=1 r2=0
// allowed: r1=1 r2=1
// races: none

// Store buffering with std::atomic.
#include "litmus.h"

static std::atomic<int> x, y;
static int r1, r2;

THREAD(0)
{
	x.store(1, std::memory_order_relaxed);
	r1 = y.load(std::memory_order_relaxed);
}

THREAD(1)
{
	y.store(1, std::memory_order_relaxed);
	r2 = x.load(std::memory_order_relaxed);
}

MAIN("r1=%d r2=%d", r1, r2)
