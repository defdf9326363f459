/*
 * A process that replays a primary, with its output captured, and makes other executions where it is told to.
 *
 * In: an execution to replay, and plans. Out: trials. Called by all files of this room that make executions.
 */
#ifndef OMEN_REPLAYER_H
#define OMEN_REPLAYER_H

#include "classify/classify.h"
#include "classify/trial.h"
#include "run/kept_execution.h"
#include "run/launch.h"

struct replayer {
	struct process process;
	const struct classifier *classifier; /* waits for nothing longer than its budget allows */
	int output[2];
};

extern const struct replayer replayer_nothing;

/* Sets up the board for a replay; the caller can still add to it. The caller calls replayer_end() in any case. */
bool replayer_prepare(struct replayer *r, const struct classifier *c, const struct execution *x, struct error *e);
bool replayer_start(struct replayer *r, const struct classifier *c, struct error *e);
/* Waits until the process is gone. False: it takes too long, or the time is up. */
bool replayer_wait(struct replayer *r);
void replayer_end(struct replayer *r);

/* Before the start: the replay leaves its recording at this access to these bytes, as the schedule says. */
void replayer_depart(struct replayer *r, const struct board_watch *watch, uint64_t touch);
/* Takes ending, status and output of the execution on the board. */
void replayer_take(const struct replayer *r, struct trial *t);

/* Waits for the next byte from the process; 0: it is gone, or the time is up. */
char replayer_hear(struct replayer *r);
bool replayer_say(struct replayer *r, char what);

#endif
