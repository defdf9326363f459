// allowed: r1=0 r2=1 x=2
// allowed: r1=2 r2=0 x=1
// forbidden: r1=0 r2=0 x=1
// forbidden: r1=0 r2=0 x=2
// forbidden: r1=2 r2=1 x=1
// races: none

/* An exchange returns what the other thread stored. */
#include "litmus.h"

static atomic_int x;
static int r1, r2;

THREAD(0) { r1 = atomic_exchange(&x, 1); }

THREAD(1) { r2 = atomic_exchange(&x, 2); }

MAIN("r1=%d r2=%d x=%d", r1, r2, x)
