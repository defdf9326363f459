/*
 * What all interleavings of a program prove about its races.
 *
 * In: c->interleavings, and the tally of a race. Out: corrections to its findings and its verdict. Called by classify.c
 * and race_failures.c, where all interleavings were executed; elsewhere these functions do nothing.
 */
#ifndef OMEN_INTERLEAVING_PROOF_H
#define OMEN_INTERLEAVING_PROOF_H

#include "classify/classify.h"
#include "classify/race_tally.h"

/*
 * All interleavings decide what a race does, whatever was found otherwise: proof_find() sets the findings, with
 * executions that show them, and proof_settle() the verdict.
 */
void proof_find(const struct classifier *c, struct race_tally *tally);
void proof_settle(const struct classifier *c, struct race_tally *tally);
/* Does the race cause this failure? BLAME_RACE: yes, BLAME_NO_RACE: no, BLAME_UNKNOWN: it is not known. */
enum blame proof_blame(const struct classifier *c, const struct race_tally *tally, const struct failure *f);
/*
 * Every finding of another execution must be in one of all interleavings. If one is not, Omen has a fault, and the
 * report says that instead of "all".
 */
void proof_check(struct classifier *c, const struct race_tallies *all);

#endif
