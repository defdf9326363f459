// expect: assertion
// at: link_of
// strategy: mixed pct:3
// flags: -pthread

/* Order violation: the first of 10 threads must get on before the last one of them. */
#define LENGTH 10
#include "chain.h"
