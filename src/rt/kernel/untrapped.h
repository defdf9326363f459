/* Functions of the C library that need no trap to come to the runtime. */
#ifndef OMEN_UNTRAPPED_H
#define OMEN_UNTRAPPED_H

#include "rt/core/rt.h"

/* A syscall has trapped: it may be the one that shows where the C library makes it. */
void untrapped_learn(long nr, uint64_t where);

#endif
