// expect: assertion
// at: link_of
// strategy: mixed pct:3
// flags: -pthread

/* Order violation: the first of 10 threads must continue before the last one runs. */
#define LENGTH 10
#include "chain.h"
