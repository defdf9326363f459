// allowed: r1=0
// allowed: r1=1
// races: marked

// Message passing with std::atomic, but relaxed.
#include "litmus.h"

static int message;
static std::atomic<bool> flag;
static int r1;

THREAD(0)
{
	message = 1; // race: A
	flag.store(true, std::memory_order_relaxed);
}

THREAD(1)
{
	r1 = flag.load(std::memory_order_relaxed);
	if (r1)
		USE(message); // race: A
}

MAIN("r1=%d", r1)
