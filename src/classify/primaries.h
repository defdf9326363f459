/* Executions that are primaries besides the recorded one. */
#ifndef OMEN_PRIMARIES_H
#define OMEN_PRIMARIES_H

#include "classify/worker.h"

struct chosen {
	struct execution **list;
	size_t count;
	uint64_t *orders; /* in which the racy bytes were accessed, of all that were looked at */
	size_t norders;
};

/*
 * Of executions that leave the recording at its first point, each with a schedule of its own, those that are worth
 * a closer look, `most` at most.
 */
void primaries_choose(struct classifier *c, const struct execution *recorded, uint64_t most, struct chosen *all,
                      struct error *e);
/* The execution on the board is worth a closer look: it has new races, or has them in another order. */
bool primaries_are_new(struct chosen *all, const struct board *b);
/* It, as a primary; and another one for the list. */
struct execution *primaries_take(const struct board *b);
void primaries_add(struct chosen *all, struct execution *x);
void primaries_free(struct chosen *all);
/* A process that makes executions which leave the recording at its first point; to be ended in any case. */
bool primaries_prepare(struct replayer *r, struct classifier *c, const struct execution *recorded, struct error *e);
/* How many points an execution has that nobody disturbs: a recording has few, as no access is one there. */
void primaries_measure(struct classifier *c, const struct execution *recorded);
/* Replays it with the bytes that raced watched: its races, with their instances. */
bool primary_explain(struct classifier *c, struct races *races, struct primary *p, struct error *e);

#endif
