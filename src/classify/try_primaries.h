/*
 * Tries the races of all primaries, in this order: the recorded execution, the primaries that are chosen besides it,
 * those that predictions and other trials lead to; then what these leave open, and the primaries that fail themselves.
 *
 * In: the recorded execution and its races. Out: the tallies of all races, and more races. Called by classify.c.
 */
#ifndef OMEN_TRY_PRIMARIES_H
#define OMEN_TRY_PRIMARIES_H

#include "classify/classify.h"
#include "classify/race_tally.h"

void try_primaries(struct classifier *c, struct execution *recorded, struct races *races, struct race_tallies *all);

#endif
