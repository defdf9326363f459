/* A process that replays a primary, with its output caught, and makes other executions where it is told to. */
#ifndef OMEN_REPLAYER_H
#define OMEN_REPLAYER_H

#include "classify/classify.h"
#include "classify/execution_result.h"
#include "report/kept_execution.h"
#include "run/launch.h"

struct replayer {
	struct process process;
	const struct classifier *classifier; /* nothing is waited for longer than its time */
	int output[2];
};

extern const struct replayer replayer_nothing;

/* The board is set up for a replay; what is to happen on the way can still be put on it. To be ended in any case. */
bool replayer_prepare(struct replayer *r, const struct classifier *c, const struct execution *x, struct error *e);
bool replayer_start(struct replayer *r, const struct classifier *c, struct error *e);
/* Waits until the process is gone. False: that takes too long, or the time is up. */
bool replayer_wait(struct replayer *r);
void replayer_end(struct replayer *r);

/* Before it is started: the replay leaves its recording at this access to these bytes, as the schedule says. */
void replayer_depart(struct replayer *r, const struct board_watch *watch, uint64_t touch);
/* What the execution on the board has printed and given to the outside, how it ended and with which status. */
void replayer_take(const struct replayer *r, struct trial *t);

/* The next byte it says; 0: it is gone, or the time is up. */
char replayer_hear(struct replayer *r);
bool replayer_say(struct replayer *r, char what);

#endif
