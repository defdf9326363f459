// allowed: x=1
// allowed: x=2
// races: none

/* Load, add, store is not one read-modify-write, however strong its orders. */
#include "litmus.h"

static atomic_int x;

THREAD(0) { x = x + 1; }

THREAD(1) { x = x + 1; }

MAIN("x=%d", x)
