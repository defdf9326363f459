/* One instance of a race that is tried: for instance.c, which tries it, and blame.c, which asks whose a failure is. */
#ifndef OMEN_INSTANCE_H
#define OMEN_INSTANCE_H

#include "classify/worker.h"
#include "classify/output_features.h"

struct instance {
	struct worker *worker;
	struct subject *subject;
	const struct board_instance *at;
	struct board_plan plan; /* what is the same for all */
	struct trials primaries;
	struct board_plan tried;   /* of the other order, the last one */
	uint32_t clocks;           /* other_clocks.c: with which others executions are made again */
	bool asked;                /* whether that makes a difference */
	bool equal;                /* the states after both orders are */
	uint64_t next_control;     /* seed */
	uint64_t made;             /* executions with the other order, */
	struct samples sampled[2]; /* the recorded order and the other one, by schedules that cut nothing */
	uint64_t taken[2];
	struct board_watch watch;
	bool cuts; /* the other order would be impossible with a lock */
};

struct board_plan instance_plan(const struct instance *x, uint32_t order, uint64_t seed);

/*
 * An execution of this instance has failed as the trial says, which was made with the order `brings` and this seed, the
 * first of so many: does the order of the race decide it?  The trial may become another one that shows it better.
 * False: the process is lost.
 */
struct question {
	uint32_t brings; /* enum plan_order */
	uint64_t seed, made;
	bool lingers;
};
bool blame_ask(struct instance *x, struct trial *t, const struct question *q, enum blame *answer);

/* The same of what executions go on behind, where one order has it and the other has not. */
bool blame_constant(struct instance *x, const struct trial *first, const struct trial *other, struct trial *shown);

#endif
