// allowed: r1=0 r2=1 x=2
// allowed: r1=1 r2=0 x=1
// forbidden: r1=1 r2=1 x=1
// forbidden: r1=1 r2=1 x=2
// forbidden: r1=0 r2=0 x=0
// races: none

/* Both __sync compare-and-swaps: one of them gets the value. */
#include "litmus.h"

static int x;
static int r1, r2;

THREAD(0) { r1 = __sync_bool_compare_and_swap(&x, 0, 1); }

THREAD(1) { r2 = __sync_val_compare_and_swap(&x, 0, 2) == 0; }

MAIN("r1=%d r2=%d x=%d", r1, r2, x)
