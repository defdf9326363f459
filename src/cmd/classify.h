/* The verdicts of the races of a recorded execution. */
#ifndef OMEN_CLASSIFY_H
#define OMEN_CLASSIFY_H

#include <signal.h>

#include "cmd/options.h"
#include "cmd/streams.h"
#include "report/race.h"
#include "report/report.h"

struct classifier {
	const struct options *options;
	const struct manifest *manifest; /* of the recording */
	const struct input *input;       /* with its log */
	const volatile sig_atomic_t *stop;
	bool progress; /* on a terminal */
	uint64_t executions;
	double start, seconds; /* when it began, and how long it took */
};

/*
 * Gives each of the races of the recorded execution its verdict; and those that are found on the way, which are added.
 */
void classify(struct classifier *c, struct races *all, const struct failure *recorded);

#endif
