// expect: assertion
// at: one
// strategy: mixed
// flags: -pthread
// runs: 1000

/* Order violation of 4 threads: only one order of all of them is wrong. */
#define COUNT 4
#include "order.h"
