// allowed: r1=0 r2=0
// allowed: r1=1 r2=1
// forbidden: r1=1 r2=0
// races: none
// std-flag: -std=c++20

// Message passing through std::atomic_ref.
#include "litmus.h"

static int message, flag;
static int r1, r2;

THREAD(0)
{
	message = 1;
	std::atomic_ref<int>(flag).store(1, std::memory_order_release);
}

THREAD(1)
{
	r1 = std::atomic_ref<int>(flag).load(std::memory_order_acquire);
	if (r1)
		r2 = message;
}

MAIN("r1=%d r2=%d", r1, r2)
