/*
 * Explains races: replays their execution with the racy bytes watched.
 *
 * In:  races with their executions.
 * Out: the stacks, values and other details of both accesses, stored in the races.
 * Called by explore and make_recording.c.
 */
#ifndef OMEN_EXPLAIN_RACES_H
#define OMEN_EXPLAIN_RACES_H

#include <signal.h>

#include "run/standard_streams.h"
#include "report/race_list.h"

struct explainer {
	const struct manifest *manifest; /* of the session */
	const struct input *input;
	uint64_t timeout_ms;               /* for one execution; 0: no limit */
	const volatile sig_atomic_t *stop; /* ends the explaining when it becomes nonzero */
	bool progress;                     /* show it, on a terminal */
};

/*
 * Replays every execution that a race is kept for, and stores what that shows. If a replay fails, the races stay as
 * they are, and the execution says why.
 */
void explain_races(const struct explainer *how, struct races *all);

/* The same for an execution on the board in which only bytes were seen that may have raced: finds those that did. */
void explain_possible_races(const struct explainer *how, struct races *all, const struct board *b);

#endif
