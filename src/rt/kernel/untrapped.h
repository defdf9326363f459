/* Functions of the C library that reach the runtime without a trap.  Only trap.c calls it. */
#ifndef OMEN_UNTRAPPED_H
#define OMEN_UNTRAPPED_H

#include "rt/core/rt.h"

/* A syscall has trapped: learns the place of a function, if one waits for that. */
void untrapped_learn(long nr, uint64_t where);

#endif
