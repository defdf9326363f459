/* Witnesses: from the places that the solver gives to an order, and whether an order is one that the trace allows. */
#ifndef OMEN_WITNESS_H
#define OMEN_WITNESS_H

#include "predict/window.h"

/* The window's events that have happened before the meeting, in order; how many in `*count`. The caller frees it. */
uint32_t *witness_order(const struct window *w, const uint32_t event[2], const int64_t *places, int64_t meeting,
                        size_t *count);

/*
 * Runs the first `start` events as they are, then those of `order`, by the rules of reorderings ("Prediction" in
 * docs/design.md), and knows nothing of how the order came about. False: it breaks a rule, `e` says which and where, or
 * the two accesses do not conflict and are not both next.
 */
bool witness_check(const struct trace *t, uint32_t start, const uint32_t *order, size_t count, const uint32_t event[2],
                   struct error *e);

#endif
