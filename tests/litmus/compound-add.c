// allowed: x=2
// forbidden: x=1
// races: none

/* Compound assignment to an atomic object is one read-modify-write. */
#include "litmus.h"

static atomic_int x;

THREAD(0) { x += 1; }

THREAD(1) { x++; }

MAIN("x=%d", x)
