/* What all interleavings of a program prove of its races. */
#ifndef OMEN_PROOF_H
#define OMEN_PROOF_H

#include "classify/classify.h"
#include "classify/subject.h"

/* Decides a race of which nothing is known otherwise. */
void proof_settle(const struct classifier *c, struct subject *s);
/* What was found in other executions must be in one of them: otherwise Omen is wrong, and says so instead of "all". */
void proof_check(struct classifier *c, const struct subjects *all);

#endif
