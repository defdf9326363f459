// expect: assertion
// at: link_of
// strategy: mixed pct:3
// flags: -pthread

/* Order violation: the first of 4 threads must continue before the last one runs. */
#define LENGTH 4
#include "chain.h"
