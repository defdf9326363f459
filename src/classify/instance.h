/*
 * One instance of a race while it is tried: two accesses by their numbers, in one primary.
 *
 * instance.c tries it, blame.c asks what causes its failures, other_clocks.c removes what clocks print. Called by
 * worker.c and by these files only.
 */
#ifndef OMEN_INSTANCE_H
#define OMEN_INSTANCE_H

#include "classify/worker.h"
#include "classify/output_features.h"

struct instance {
	struct worker *worker;
	struct race_tally *tally;
	const struct board_instance *at;
	struct board_plan plan; /* what all plans share */
	struct trials recorded_trials;
	struct board_plan last_plan; /* the last plan with the other order */
	uint32_t other_clocks; /* bits of the other clocks under which executions are made again (other_clocks.c) */
	bool clocks_asked;     /* it is known whether clocks change the output */
	bool states_equal;     /* the states after both orders are the same */
	uint64_t next_seed;    /* seed */
	uint64_t made;         /* trials with the other order */
	struct samples
	        samples[2]; /* recorded order and other order, under schedules that never switch between two accesses */
	uint64_t samples_taken[2];
	struct board_watch watch;
	bool cuts; /* a lock around the accesses would exclude the other order */
};

struct board_plan instance_plan(const struct instance *x, uint32_t order, uint64_t seed);

/*
 * A trial of this instance has failed. It was made with the order `brings` and this seed, and it took `made` trials to
 * find it. Does the order of the race decide the failure? The trial may be replaced by one that shows it better. False:
 * the process is lost.
 */
struct trial_origin {
	uint32_t order; /* enum plan_order */
	uint64_t seed, made;
	bool lingers;
};
bool blame_examine(struct instance *x, struct trial *t, const struct trial_origin *origin, enum blame *answer);

/* The same question for a violation that executions continue past, if one order has it and the other does not. */
bool blame_passed(struct instance *x, const struct trial *first, const struct trial *other, struct trial *shown);

#endif
