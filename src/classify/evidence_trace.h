/*
 * What the threads do in an execution that is kept as evidence.
 *
 * In: a verdict with its alternate, and the finding that it shows. Out: the verdict's moments, and among them the
 * race's two accesses. Called by minimise.c.
 */
#ifndef OMEN_EVIDENCE_TRACE_H
#define OMEN_EVIDENCE_TRACE_H

#include "classify/classify.h"
#include "classify/race_tally.h"

/*
 * Replays the verdict's alternate as its evidence will be replayed, and notes what its threads do. False: the replay is
 * not the same.
 */
bool evidence_trace(struct classifier *c, const struct finding *f, struct verdict *v);

#endif
