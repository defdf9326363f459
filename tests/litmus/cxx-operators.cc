// allowed: r1=1 r2=1 x=2
// allowed: r1=2 r2=0 x=2
// forbidden: r1=1 r2=0 x=2
// races: none

// The operators of std::atomic are read-modify-writes.
#include "litmus.h"

static std::atomic<int> x;
static int r1, r2;

THREAD(0) { r1 = ++x; }

THREAD(1) { r2 = x++; }

MAIN("r1=%d r2=%d x=%d", r1, r2, x.load())
