/* Where the outputs of two executions differ first, and who wrote that. */
#ifndef OMEN_DIFFERENCE_H
#define OMEN_DIFFERENCE_H

#include "classify/classify.h"
#include "classify/race_tally.h"

/* Fills f->difference. What is not kept of the two executions is found by replaying them. */
void difference_find(struct classifier *c, struct finding *f);

#endif
