/* Evidence that is easy to read: as few switches as can be found, and what happens in it. */
#ifndef OMEN_MINIMISE_H
#define OMEN_MINIMISE_H

#include "classify/classify.h"
#include "classify/race_tally.h"

/*
 * Puts an execution with fewer switches that shows the same in the place of the verdict's alternate, if one is found in
 * a bounded number of tries, and notes what its threads do. `f` is what the alternate was found to show.
 */
void evidence_minimise(struct classifier *c, const struct finding *f, struct verdict *v);

/*
 * Replays the verdict's alternate as its evidence will be, and notes what its threads do. False: it is not the same
 * again.
 */
bool evidence_trace(struct classifier *c, const struct finding *f, struct verdict *v);

/*
 * An execution like this one, made with the same turns of its threads from where its recording is left on: not directed
 * at any race, so that it can be a primary. NULL: that did not work out.
 */
struct execution *execution_unfold(struct classifier *c, const struct execution *x);

#endif
