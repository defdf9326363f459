// allowed: r1=0 r2=1
// allowed: r1=1 r2=0
// forbidden: r1=0 r2=0
// races: none

// std::atomic_flag: cleared with release, taken with acquire.
#include "litmus.h"

static int message;
static std::atomic_flag busy = ATOMIC_FLAG_INIT;
static int r1, r2;

THREAD(0)
{
	message = 1;
	busy.clear(std::memory_order_release);
}

THREAD(1)
{
	r1 = busy.test_and_set(std::memory_order_acquire);
	if (!r1)
		r2 = message;
}

int main()
{
	busy.test_and_set();
	run_threads();
	printf("r1=%d r2=%d\n", r1, r2);
	return 0;
}
