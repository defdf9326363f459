// allowed: r1=3 r2=5 x=2
// allowed: r1=5 r2=4 x=2
// forbidden: r1=5 r2=5 x=2
// races: none

/* fetch_sub. */
#include "litmus.h"

static atomic_int x = 5;
static int r1, r2;

THREAD(0) { r1 = atomic_fetch_sub(&x, 1); }

THREAD(1) { r2 = atomic_fetch_sub(&x, 2); }

MAIN("r1=%d r2=%d x=%d", r1, r2, x)
