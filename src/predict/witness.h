/*
 * Witnesses of the maximal tier: makes them from an answer of the solver, and checks them.
 *
 * In:  the places that the solver gives to the nodes of a window; or an order of events.
 * Out: an order of events; or whether the rules of traces allow it.
 * Called by the maximal tier.
 */
#ifndef OMEN_WITNESS_H
#define OMEN_WITNESS_H

#include "predict/window.h"

/* The window's events that happen before the meeting, in order; how many in `*count`. The caller frees the list. */
uint32_t *witness_order(const struct window *w, const uint32_t event[2], const int64_t *places, int64_t meeting,
                        size_t *count);

/*
 * Runs the first `start` events as they are, then those of `order`, by the rules of reorderings ("Prediction" in
 * docs/design.md). It knows nothing of how the order was made. False: the order breaks a rule, `e` says which and
 * where; or the two accesses do not conflict, or are not both next.
 */
bool witness_check(const struct trace *t, uint32_t start, const uint32_t *order, size_t count, const uint32_t event[2],
                   struct error *e);

#endif
