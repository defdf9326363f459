// allowed: r1=0 r2=1 x=2
// allowed: r1=1 r2=0 x=2
// forbidden: r1=0 r2=0 x=1
// forbidden: r1=0 r2=0 x=2
// races: none

/* Read-modify-writes read the last value: none is lost. */
#include "litmus.h"

static atomic_int x;
static int r1, r2;

THREAD(0) { r1 = FETCH_ADD(x, 1, relaxed); }

THREAD(1) { r2 = FETCH_ADD(x, 1, relaxed); }

MAIN("r1=%d r2=%d x=%d", r1, r2, x)
