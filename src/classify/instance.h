/*
 * One instance of a race while it is tried: two accesses by their numbers, in one primary.
 *
 * In: a worker whose process stands before the first of the two accesses. Out: counts and findings in the race's tally.
 * worker.c calls instance_try() and instance_probe(). instance_output.c, blame.c and other_clocks.c help and share
 * struct instance.
 */
#ifndef OMEN_INSTANCE_H
#define OMEN_INSTANCE_H

#include "classify/worker.h"
#include "classify/output_features.h"

struct instance {
	struct worker *worker;
	struct race_tally *tally;
	const struct board_instance *at;
	struct board_plan plan; /* what all plans of this instance share */
	struct trials recorded_trials;
	struct board_plan last_plan; /* the last plan with the other order */
	uint32_t other_clocks; /* bits of the other clocks under which executions are made again (other_clocks.c) */
	bool clocks_asked;     /* it is known whether clocks change the output */
	bool states_equal;     /* the states after both orders are the same */
	uint64_t next_seed;    /* of controls */
	uint64_t made;         /* trials with the other order */
	/* of the recorded order and of the other one, under schedules that never switch between two accesses */
	struct samples samples[2];
	uint64_t samples_taken[2];
	struct board_watch watch;
	bool cuts; /* a lock around the accesses would exclude the other order */
};

/* Tries everything with one instance, at the stop before its first access. False: the process is lost. */
bool instance_try(struct worker *w, struct race_tally *tally, const struct board_instance *at);
/* Which of the instance's two accesses is the write, if the other one is a read; otherwise -1. */
int instance_writer(const struct board_race *r, const struct board_instance *i);
/* Holds the writer: does the other thread only wait for the value that it would write? */
bool instance_probe(struct worker *w, struct race_tally *tally, const struct board_instance *at);

/* The plan of a trial with this enum plan_order; seed 0: with nothing else changed. */
struct board_plan instance_plan(const struct instance *x, uint32_t order, uint64_t seed);

#endif
