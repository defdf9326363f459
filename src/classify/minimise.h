/*
 * Reduces evidence to as few switches as can be found, so that it is easy to read.
 *
 * In: a finding and its verdict. Out: a shorter alternate in the verdict, with what its threads do. Called by
 * classify.c and try_primaries.c.
 */
#ifndef OMEN_MINIMISE_H
#define OMEN_MINIMISE_H

#include "classify/classify.h"
#include "classify/race_tally.h"

/*
 * Replaces the verdict's alternate by an execution with fewer switches that shows the same, if a bounded number of
 * tries finds one, and notes what its threads do. `f`: the finding that the alternate shows.
 */
void minimise_evidence(struct classifier *c, const struct finding *f, struct verdict *v);

/*
 * Makes an execution like this one, with the same turns of the threads from where the recording is left. It holds no
 * thread for any race, so it can be a primary. NULL: it could not be made.
 */
struct execution *execution_make_undirected(struct classifier *c, const struct execution *x);

#endif
