// allowed: r1=0 x=1
// allowed: r1=1 x=11
// forbidden: r1=0 x=10
// forbidden: r1=1 x=10
// forbidden: r1=1 x=1
// races: none

/* No store comes between the two halves of a read-modify-write. */
#include "litmus.h"

static atomic_int x;
static int r1;

THREAD(0) { r1 = FETCH_ADD(x, 10, relaxed); }

THREAD(1) { STORE(x, 1, relaxed); }

MAIN("r1=%d x=%d", r1, x)
