// allowed: r1=0 r2=3 x=2
// allowed: r1=1 r2=0 x=2
// forbidden: r1=0 r2=0 x=2
// races: none

/* fetch_xor: toggled twice. */
#include "litmus.h"

static atomic_int x;
static int r1, r2;

THREAD(0) { r1 = atomic_fetch_xor(&x, 3); }

THREAD(1) { r2 = atomic_fetch_xor(&x, 1); }

MAIN("r1=%d r2=%d x=%d", r1, r2, x)
