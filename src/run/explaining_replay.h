/*
 * The explaining replay: an execution runs once more with the bytes watched that raced.  Detection keeps neither stack
 * nor value of an access; this replay does.
 *
 * In: an execution that was kept, and what its session started from.  Out: a board for races_explain().  Called by
 * src/cmd for races of an exploration or a recording, and by src/classify for those of primaries.
 */
#ifndef OMEN_EXPLAINING_REPLAY_H
#define OMEN_EXPLAINING_REPLAY_H

#include "run/kept_execution.h"

struct explaining_replay {
	const struct manifest *manifest;
	const struct input *input;
	uint64_t timeout_ms;               /* 0: no limit */
	const volatile sig_atomic_t *stop; /* ends the replay when it becomes nonzero */
	void (*tick)(void *argument);      /* or NULL; called about ten times a second */
	void *tick_argument;
};

enum replayed {
	REPLAYED_NOT,     /* it did not come to an end that the board knows; the error says why */
	REPLAYED_DIFFERS, /* it ended otherwise than the execution */
	REPLAYED
};

/* The caller calls process_end() in any case; until then it can read the board, unless it is REPLAYED_NOT. */
enum replayed explaining_replay(const struct explaining_replay *how, const struct execution *x, struct process *p,
                                struct error *e);

#endif
