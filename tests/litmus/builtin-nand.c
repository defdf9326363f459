// allowed: r1=12 r2=15 x=12
// allowed: r1=15 r2=10 x=10
// forbidden: r1=15 r2=15 x=15
// races: none

/* __atomic_nand_fetch returns the new value. */
#include "litmus.h"

static int x;
static int r1, r2;

THREAD(0) { r1 = __atomic_nand_fetch(&x, 3, __ATOMIC_RELAXED) & 15; }

THREAD(1) { r2 = __atomic_nand_fetch(&x, 5, __ATOMIC_RELAXED) & 15; }

MAIN("r1=%d r2=%d x=%d", r1, r2, x & 15)
