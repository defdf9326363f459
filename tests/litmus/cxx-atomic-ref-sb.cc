// allowed: r1=0 r2=0
// allowed: r1=0 r2=1
// allowed: r1=1 r2=0
// allowed: r1=1 r2=1
// races: none
// std-flag: -std=c++20

// Store buffering through std::atomic_ref.
#include "litmus.h"

static int x, y;
static int r1, r2;

THREAD(0)
{
	std::atomic_ref<int>(x).store(1, std::memory_order_relaxed);
	r1 = std::atomic_ref<int>(y).load(std::memory_order_relaxed);
}

THREAD(1)
{
	std::atomic_ref<int>(y).store(1, std::memory_order_relaxed);
	r2 = std::atomic_ref<int>(x).load(std::memory_order_relaxed);
}

MAIN("r1=%d r2=%d", r1, r2)
