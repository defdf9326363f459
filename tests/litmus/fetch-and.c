// allowed: r1=5 r2=7 x=4
// allowed: r1=7 r2=6 x=4
// forbidden: r1=7 r2=7 x=4
// forbidden: r1=5 r2=6 x=4
// races: none

/* fetch_and: both bits are cleared. */
#include "litmus.h"

static atomic_int x = 7;
static int r1, r2;

THREAD(0) { r1 = atomic_fetch_and(&x, ~1); }

THREAD(1) { r2 = atomic_fetch_and(&x, ~2); }

MAIN("r1=%d r2=%d x=%d", r1, r2, x)
