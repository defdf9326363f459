// allowed: r1=0 r2=1
// allowed: r1=1 r2=0
// forbidden: r1=0 r2=0
// forbidden: r1=1 r2=1
// races: none

/* Which thread sets the boolean first? */
#include "litmus.h"

#include <stdbool.h>

static atomic_bool taken;
static int r1, r2;

THREAD(0) { r1 = EXCHANGE(taken, true, relaxed); }

THREAD(1) { r2 = EXCHANGE(taken, true, relaxed); }

MAIN("r1=%d r2=%d", r1, r2)
