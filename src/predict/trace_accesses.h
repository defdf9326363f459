/*
 * The accesses of a trace, sorted by variable.
 *
 * In:  a finished trace.
 * Out: lists of its events.
 * Called by the tiers and by beyond_window.c.
 */
#ifndef OMEN_TRACE_ACCESSES_H
#define OMEN_TRACE_ACCESSES_H

#include "predict/trace.h"

/*
 * The accesses to variable 0, then those to variable 1, and so on, each in the order of the trace. The caller frees
 * them. `start` gets the index of each variable's first access; it has three entries more than there are variables, all
 * zero before the call.
 */
uint32_t *accesses_by_variable(const struct trace *t, uint32_t *start);
/* Whether several threads made these accesses, and one of them writes. */
bool accesses_shared(const struct trace *t, const uint32_t *accesses, uint32_t count);

#endif
