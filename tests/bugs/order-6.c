// expect: assertion
// at: one
// strategy: mixed
// flags: -pthread
// runs: 10000

/* Order violation of 6 threads: only one order of all of them is wrong. */
#define COUNT 6
#include "order.h"
