/*
 * The tiers that search a trace for races that other schedules have. Each tier finds more than the one before it, and
 * takes longer. (docs/design.md, "Prediction")
 *
 * In:  a trace, from trace_finish() on, and the races that earlier tiers found.
 * Out: the races that this tier found, added to them.
 * Called by prediction.c and by the tests. The maximal tier has options of its own: tier_maximal.h.
 */
#ifndef OMEN_TIERS_H
#define OMEN_TIERS_H

#include "predict/place_pairs.h"

extern const char *const tier_names[TIER_COUNT];

/* Each adds the races whose places `pairs` does not have. */
void predict_happens_before(const struct trace *t, struct pairs *pairs);
void predict_sync_preserving(const struct trace *t, struct pairs *pairs);

#endif
