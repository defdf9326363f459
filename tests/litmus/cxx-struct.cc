// allowed: 0 0
// allowed: 1 1
// allowed: 2 2
// forbidden: 0 1
// forbidden: 1 0
// forbidden: 1 2
// forbidden: 2 1
// races: none

// std::atomic of a structure: both halves or none.
#include "litmus.h"

struct alignas(8) pair {
	int a, b;
};

static std::atomic<pair> both;
static pair seen;

THREAD(0) { both.store({1, 1}, std::memory_order_relaxed); }

THREAD(1) { both.store({2, 2}, std::memory_order_relaxed); }

THREAD(2) { seen = both.load(std::memory_order_relaxed); }

MAIN("%d %d", seen.a, seen.b)
