/*
 * Witnesses of the races that the two linear tiers (happens-before, sync-preserving) find.
 *
 * In:  the critical sections of a trace, and a pair of accesses that one of these tiers reported.
 * Out: `witness`, `witness_count` and `witness_start` of that pair.
 * Called by the confirmation of predicted races, and by the tests.
 */
#ifndef OMEN_LINEAR_WITNESS_H
#define OMEN_LINEAR_WITNESS_H

#include "predict/closed_set.h"
#include "predict/place_pairs.h"

/*
 * The fewest events: all that must come before the two accesses, in the order of the trace. It always exists: the
 * sync-preserving tier finds whatever happens-before finds. Does nothing for a pair that has a witness.
 */
void witness_shortest(const struct sections *s, struct pair *p);

/*
 * The most events: everything happens as in the trace, except for the earlier of the two accesses, which its thread
 * does not make, and for the events that cannot happen without it. So the execution departs from the recorded one as
 * late as possible. False: no witness of this kind exists.
 */
bool witness_longest(const struct sections *s, struct pair *p);

#endif
