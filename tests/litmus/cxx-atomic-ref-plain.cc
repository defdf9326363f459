// allowed: done
// races: marked
// std-flag: -std=c++20

// One thread uses std::atomic_ref, the other does not.
#include "litmus.h"

static int x;

THREAD(0)
{
	std::atomic_ref<int>(x).fetch_add(1); // race: A
}

THREAD(1)
{
	USE(x); // race: A
}

MAIN("done")
