/* Why a race is one: the execution once more, with its racy bytes watched. */
#ifndef OMEN_EXPLAIN_RACES_H
#define OMEN_EXPLAIN_RACES_H

#include <signal.h>

#include "run/standard_streams.h"
#include "report/race_list.h"

struct explainer {
	const struct manifest *manifest; /* of the session */
	const struct input *input;
	uint64_t timeout_ms;               /* for one execution; 0: none */
	const volatile sig_atomic_t *stop; /* ends the explaining when it becomes nonzero */
	bool progress;                     /* on a terminal */
};

/*
 * Replays every execution that a race is kept for and takes over what that shows. Where it fails, the races stay as
 * they are and the execution says why.
 */
void explain(const struct explainer *how, struct races *all);

/* The same for the execution on the board if all that was seen there are bytes that may have raced: those that did. */
void explain_possible(const struct explainer *how, struct races *all, const struct board *b);

#endif
