// expect: assertion
// at: late
// strategy: mixed pct:3
// flags: -pthread
// runs: 1000

/* Order violation: the first thread must start before 40 operations of the second. */
#define OPERATIONS 40
#include "late-start.h"
