// expect: assertion
// at: late
// strategy: mixed pct:3
// flags: -pthread
// runs: 1000

/* Order violation: the first thread must start before 20 operations of the second under a lock. */
#define OPERATIONS 20
#define LOCKED
#include "late-start.h"
