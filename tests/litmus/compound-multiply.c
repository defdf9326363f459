// allowed: x=4
// allowed: x=6
// forbidden: x=2
// forbidden: x=3
// races: none

/* So is a compound assignment for which the processor has no instruction. */
#include "litmus.h"

static atomic_int x = 1;

THREAD(0) { x *= 3; }

THREAD(1) { x += 1; }

MAIN("x=%d", x)
