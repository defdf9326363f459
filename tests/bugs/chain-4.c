// expect: assertion
// at: link_of
// strategy: mixed pct:3
// flags: -pthread

/* Order violation: the first of 4 threads must get on before the last one of them. */
#define LENGTH 4
#include "chain.h"
