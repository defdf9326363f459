/*
 * A worker: one process that replays a primary, stops before accesses of its races, and makes trials from there.
 *
 * In: a primary and the tallies of races. Out: larger tallies, and races to follow. try_primaries.c starts workers;
 * instance.c, blame.c and other_clocks.c make trials with them.
 */
#ifndef OMEN_WORKER_H
#define OMEN_WORKER_H

#include <pthread.h>

#include "classify/replayer.h"
#include "classify/race_tally.h"

/* A thread must reach its access within this many times the points of an undisturbed execution. */
#define BUDGET_FACTOR    5
#define LEAST_POINTS     1000000
#define LEAST_TURNS      60000 /* more than LEAST_TURNS_HELD, which ends a hold: the execution then still goes on */
#define LEAST_TURNS_HELD 20000 /* more than it takes for the proof of an endless loop to begin */

/* An execution in which races are tried: the recorded one, or one that left it at its first point. */
struct primary {
	struct execution *execution;
	uint64_t key; /* its name in the journal */
	bool fails;   /* it fails, and not as the recorded execution does */
	struct board_race *races;
	uint32_t count;
};

enum work_kind {
	WORK_ORDERS, /* everything that shows what a race does */
	WORK_REST,   /* only the missing executions with the other order, up to the number asked for */
	WORK_SWEEP,  /* each order once, with nothing else changed, in instances all over the execution */
	WORK_BLAME,  /* the primary fails: is the order of a race the cause? */
};

struct worker {
	struct classifier *classifier;
	const struct primary *primary;
	struct race_tally *tallies;
	size_t first, step, count; /* of these tallies it tries `first`, `first + step`, … below `count` */
	struct replayer replayer;
	struct trial recorded;    /* the primary, executed to its end */
	struct board_watch watch; /* trials begin before access number `touch` to these bytes */
	uint64_t touch;           /* 0: they begin where the recording is left */
	struct leads leads;
	enum work_kind work;
	bool has_recorded, process_lost;
	bool no_room; /* some stops did not fit on the board */
	pthread_t thread;
};

/* Tries all races whose `seen` is set, by several workers at once. */
void workers_run(struct classifier *c, const struct primary *p, struct race_tallies *all, enum work_kind work);

/* How many instances of this race are tried in the primary. */
uint32_t worker_count_instances(const struct worker *w, const struct race_tally *tally);
/* Makes one trial from where the process stands. False: the process is lost. */
bool worker_try(struct worker *w, const struct board_plan *plan, struct trial *t);

#endif
