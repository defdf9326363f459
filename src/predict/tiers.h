/*
 * Races that other schedules of a trace have. A tier finds some of them; a later one costs more and finds more.
 * (docs/design.md, "Prediction")
 */
#ifndef OMEN_TIERS_H
#define OMEN_TIERS_H

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

extern const char *const tier_names[TIER_COUNT];

/* A race: two places in the source, and a pair of accesses that shows it. */
struct pair {
	uint32_t location[2]; /* the smaller first */
	uint32_t event[2];    /* the earlier first; not in the order of `location` */
	enum tier tier;       /* that found it first */
	/*
	 * The events of a reordering in its order, up to where the two accesses are both next; neither is among them.
	 * The first `witness_start` events of the trace come before, as they are. NULL until witness_shortest(), or
	 * from a tier that had it at hand. It may be as long as the trace.
	 */
	uint32_t *witness;
	size_t witness_count;
	uint32_t witness_start;
};

/* The races found so far, each pair of places once. */
struct pairs {
	struct pair *list; /* in the order they were found */
	size_t count, capacity;
	uint32_t *slots; /* hash table by location: index + 1 */
	size_t slot_count;
};

/* Whether these two places are known to race. */
bool pairs_known(const struct pairs *p, uint32_t location_a, uint32_t location_b);
/* Adds the race of two events, unless its places are known; returns the new one or NULL. Takes nothing over. */
struct pair *pairs_add(struct pairs *p, const struct trace *t, uint32_t event_a, uint32_t event_b, enum tier tier);
void pairs_free(struct pairs *p);

/* Each adds what it finds and `pairs` does not have. */
void predict_happens_before(const struct trace *t, struct pairs *pairs);
void predict_sync_preserving(const struct trace *t, struct pairs *pairs);

struct sections; /* of the trace: closed_set.h */

/*
 * Works out the witness of a pair that one of these two tiers found, if it has none yet: with as little as the two
 * accesses need, or with as much as can be of what comes before the later one (false: there is none of this kind).
 */
void witness_shortest(const struct sections *s, struct pair *p);
bool witness_longest(const struct sections *s, struct pair *p);

#endif
