// allowed: r1=0 old=0 x=0
// allowed: r1=1 old=0 x=1
// forbidden: r1=0 old=1 x=0
// forbidden: r1=0 old=0 x=1
// races: none

/* A weak compare-and-swap may fail for no reason, and then returns the value that it expected. */
#include "litmus.h"

static atomic_int x;
static int old, r1;

THREAD(0) { r1 = CAS_WEAK(x, &old, 1, relaxed, relaxed); }

MAIN("r1=%d old=%d x=%d", r1, old, x)
