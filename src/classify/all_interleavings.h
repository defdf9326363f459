/*
 * Executes all interleavings of a program that has few.
 *
 * In: the recorded execution. Out: c->interleavings (how many there are, their outcomes, what the order of accesses
 * decides) and primaries. Called by try_primaries.c.
 */
#ifndef OMEN_ALL_INTERLEAVINGS_H
#define OMEN_ALL_INTERLEAVINGS_H

#include "classify/primaries.h"

/*
 * Makes executions that leave the recording at its first point, until no other interleaving is left. Adds at most
 * `most` primaries to `chosen`. False: not all were executed; c->interleavings says why.
 */
bool all_interleavings_execute(struct classifier *c, const struct execution *recorded, uint64_t most,
                               struct chosen_primaries *chosen, struct error *e);

#endif
