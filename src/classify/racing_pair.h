/*
 * Finds the two accesses of a race in an execution, and tells whether they cut a region in two that a lock would keep
 * whole.
 *
 * In: the moments of an evidence, or the touches of a primary. Out: a pair of moments. Called by evidence_trace.c and
 * instance.c.
 */
#ifndef OMEN_RACING_PAIR_H
#define OMEN_RACING_PAIR_H

#include "classify/race_tally.h"

/* Finds the pair among the moments of the verdict, and notes whether it cuts a region in two. */
void racing_pair_find(const struct finding *f, struct verdict *v);

/* Would the other order of this instance cut a region in two, if all else stayed as in its primary? */
bool racing_pair_cuts_region(const struct execution *primary, const struct board_instance *at);

#endif
