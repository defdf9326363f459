/* The accesses of a trace, variable by variable. */
#ifndef OMEN_TRACE_ACCESSES_H
#define OMEN_TRACE_ACCESSES_H

#include "predict/trace.h"

/*
 * The accesses to variable 0, then those to 1, …, each in the trace's order; the caller frees them. Where those of each
 * begin in `start`, which has three more than there are variables, all zero.
 */
uint32_t *accesses_by_variable(const struct trace *t, uint32_t *start);
/* Whether two threads are among those who made these, and one writes. */
bool accesses_shared(const struct trace *t, const uint32_t *accesses, uint32_t count);

#endif
