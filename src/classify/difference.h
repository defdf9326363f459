/*
 * Finds where the outputs of two executions differ first, and who wrote that byte.
 *
 * In: a finding. Out: its difference, for the report. Called by classify.c.
 */
#ifndef OMEN_DIFFERENCE_H
#define OMEN_DIFFERENCE_H

#include "classify/classify.h"
#include "classify/race_tally.h"

/* Fills f->difference. Replays the two executions for what was not kept of them. */
void difference_find(struct classifier *c, struct finding *f);

#endif
