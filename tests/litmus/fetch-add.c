// allowed: r1=0 r2=1 x=3
// allowed: r1=2 r2=0 x=3
// forbidden: r1=0 r2=0 x=3
// forbidden: r1=2 r2=1 x=3
// races: none

/* fetch_add returns the old value. */
#include "litmus.h"

static atomic_int x;
static int r1, r2;

THREAD(0) { r1 = atomic_fetch_add(&x, 1); }

THREAD(1) { r2 = atomic_fetch_add(&x, 2); }

MAIN("r1=%d r2=%d x=%d", r1, r2, x)
