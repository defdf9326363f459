/* A worker replays a primary and tries some of its races on the way. */
#ifndef OMEN_WORKER_H
#define OMEN_WORKER_H

#include <pthread.h>

#include "classify/replayer.h"
#include "classify/race_tally.h"

#define NO_END       5 /* times the points of an undisturbed execution, for a thread to come to its access */
#define FEWEST       1000000
#define FEWEST_TURNS 60000 /* more than FEWEST_HELD: who was held goes on then */
#define FEWEST_HELD  20000 /* a proof that all only repeat themselves begins sooner */

/* An execution that races are tried in: the recorded one, or one that has left it at its first point. */
struct primary {
	struct execution *execution;
	uint64_t key; /* in the journal */
	bool fails;   /* itself, as the recorded one does not */
	struct board_race *races;
	uint32_t count;
};

enum work {
	WORK_ORDERS, /* all that tells what a race does */
	WORK_REST,   /* only as many more executions with the other order as are missing of those that were asked for */
	WORK_SWEEP,  /* each order once, with nothing else changed, in instances all over the execution */
	WORK_BLAME,  /* the primary fails: whether the other order of a race is why */
};

struct worker {
	struct classifier *classifier;
	const struct primary *primary;
	struct subject *subjects;
	size_t first, step, count;
	struct replayer replayer;
	struct trial recorded;    /* the primary to its end */
	struct board_watch watch; /* executions begin before the access with number `touch` to these bytes; */
	uint64_t touch;           /* 0: where the recording is left */
	struct leads leads;
	enum work mode;
	bool has_recorded, lost;
	bool no_room; /* for all stops */
	pthread_t thread;
};

/* All races that are `seen` in this primary, over all workers. */
void workers_run(struct classifier *c, const struct primary *p, struct subjects *all, enum work mode);

/* How many instances of this race are tried in the primary. */
uint32_t worker_instances(const struct worker *w, const struct subject *s);
/* One execution from where the process stands. False: the process is lost. */
bool worker_try(struct worker *w, const struct board_plan *plan, struct trial *t);

/* Everything that is to be tried with one instance, at the stop before its first access. False: the process is lost. */
bool instance_try(struct worker *w, struct subject *s, const struct board_instance *at);
/* One writes and the other reads; which of the instance's two accesses is the write, or -1. */
int instance_writer(const struct board_race *r, const struct board_instance *i);
/* The writer is held: does the other one only wait for what it would write? */
bool instance_probe(struct worker *w, struct subject *s, const struct board_instance *at);

#endif
