/*
 * Chooses and prepares primaries: the executions, besides the recorded one, in which races are tried.
 *
 * In: the recorded execution. Out: executions that have new races, or known races in a new order. Called by
 * try_primaries.c, all_interleavings.c, failure_list.c and predicted_races.c, and by `omen predict`.
 */
#ifndef OMEN_PRIMARIES_H
#define OMEN_PRIMARIES_H

#include "classify/worker.h"

struct chosen_primaries {
	struct execution **list;
	size_t count;
	uint64_t *orders; /* the different orders of accesses to racy bytes, over all executions made */
	size_t norders;
};

/*
 * Makes executions that leave the recording at its first point with different schedules, and chooses at most `most` of
 * them.
 */
void primaries_choose(struct classifier *c, const struct execution *recorded, uint64_t most,
                      struct chosen_primaries *all, struct error *e);
/* The execution on the board should be a primary: it has new races, or has races in a new order. */
bool primaries_want(struct chosen_primaries *all, const struct board *b);
/* Takes this execution from the board; adds an execution to the list. */
struct execution *primary_take(const struct board *b);
void primaries_add(struct chosen_primaries *all, struct execution *x);
void primaries_free(struct chosen_primaries *all);
/*
 * Prepares a process that makes executions which leave the recording at its first point. The caller ends it in any
 * case.
 */
bool primaries_prepare(struct replayer *r, struct classifier *c, const struct execution *recorded, struct error *e);
/* Measures how many points an undisturbed execution has. The recording has fewer, as its accesses are no points. */
void primaries_measure(struct classifier *c, const struct execution *recorded);
/* Replays the primary with its racy bytes watched, for its races and their instances. */
bool primary_explain(struct classifier *c, struct races *races, struct primary *p, struct error *e);

#endif
