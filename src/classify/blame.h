/*
 * What causes a failure: the order of a race, or something else?
 *
 * In: an instance and a trial of it that failed. Out: an answer, which is also noted in the race's tally. Called by
 * instance.c.
 */
#ifndef OMEN_BLAME_H
#define OMEN_BLAME_H

#include "classify/instance.h"

/* How a failing trial was made. */
struct trial_origin {
	uint32_t order; /* enum plan_order */
	uint64_t seed;
	uint64_t made; /* trials that it took to find the failure */
	bool run_on;   /* as in its plan */
};

/*
 * A trial of this instance has failed. Does the order of the race decide the failure? The trial may be replaced by one
 * that shows it better. False: the process is lost.
 */
bool blame_examine(struct instance *x, struct trial *t, const struct trial_origin *origin, enum blame *answer);

/* The same question for a violation that executions continue past, if one order has it and the other does not. */
bool blame_passed(struct instance *x, const struct trial *first, const struct trial *other, struct trial *shown);

#endif
