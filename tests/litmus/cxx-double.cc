// allowed: sum=1.5
// forbidden: sum=0.5
// forbidden: sum=1.0
// races: none
// std-flag: -std=c++20

// fetch_add of std::atomic<double> is a loop inside, and loses nothing.
#include "litmus.h"

static std::atomic<double> sum;

THREAD(0) { sum.fetch_add(0.5, std::memory_order_relaxed); }

THREAD(1) { sum.fetch_add(1.0, std::memory_order_relaxed); }

MAIN("sum=%.1f", sum.load())
