/* What all interleavings of a program prove of its races. */
#ifndef OMEN_INTERLEAVING_PROOF_H
#define OMEN_INTERLEAVING_PROOF_H

#include "classify/classify.h"
#include "classify/race_tally.h"

/*
 * Where all interleavings were executed they decide what is known of a race, whatever was found otherwise: first what
 * it does, with executions that show it, then the verdict.
 */
void proof_find(const struct classifier *c, struct subject *s);
void proof_settle(const struct classifier *c, struct subject *s);
/* Whether the race has this failure: BLAME_RACE, BLAME_OWN: it has not, BLAME_OPEN: that is not known. */
enum blame proof_blame(const struct classifier *c, const struct subject *s, const struct failure *f);
/* What was found in other executions must be in one of them: otherwise Omen is wrong, and says so instead of "all". */
void proof_check(struct classifier *c, const struct subjects *all);

#endif
