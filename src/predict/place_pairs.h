/*
 * Sets of pairs of places in the source, each with one pair of events. Every predicted race is in such a set, and so is
 * every pair of places that a tier could not decide.
 *
 * In:  two events of a trace at a time.
 * Out: the list of pairs, in the order of their arrival, and whether a pair of places is in it.
 * Called by the tiers, the report and the confirmation of predicted races.
 */
#ifndef OMEN_PLACE_PAIRS_H
#define OMEN_PLACE_PAIRS_H

#include <stddef.h>

#include "predict/trace.h"

#define TIERS(X)                                                                                                       \
	X(HAPPENS_BEFORE, "happens-before")                                                                            \
	X(SYNC_PRESERVING, "sync-preserving")                                                                          \
	X(MAXIMAL, "maximal")

enum tier {
#define X(id, name) TIER_##id,
	TIERS(X)
#undef X
	        TIER_COUNT
};

struct pair {
	uint32_t location[2]; /* the smaller first */
	uint32_t event[2];    /* the earlier first; not in the order of `location` */
	enum tier tier;       /* the first one that found it */
	/*
	 * The witness: a reordering that leads to where both accesses are next. It has neither of them. The first
	 * `witness_start` events of the trace come first, unchanged; then those of `witness`, in its order, which may
	 * be as many as the trace has. NULL: not made yet, see linear_witness.h; the maximal tier brings it along.
	 */
	uint32_t *witness;
	size_t witness_count;
	uint32_t witness_start;
};

/* Each pair of places is in it at most once. */
struct pairs {
	struct pair *list; /* in the order of arrival */
	size_t count, capacity;
	uint32_t *slots; /* hash table by location: index + 1 */
	size_t slot_count;
};

/* Whether the set has these two places. */
bool pairs_known(const struct pairs *p, uint32_t location_a, uint32_t location_b);
/* Adds the pair of two events, with copies of their numbers. Returns it, or NULL if the set has its places. */
struct pair *pairs_add(struct pairs *p, const struct trace *t, uint32_t event_a, uint32_t event_b, enum tier tier);
void pairs_free(struct pairs *p);

#endif
