/*
 * Replays an evidence to collect the events of its timeline.
 *
 * In:  an evidence directory, and what to collect.
 * Out: the events, after the board of the process.
 * Called by omen report --timeline.
 */
#ifndef OMEN_OMEN_REPLAY_H
#define OMEN_OMEN_REPLAY_H

#include "run/launch.h"
#include "format/manifest.h"

struct event_request {
	uint64_t most; /* the limit of events */
	/* Accesses to these bytes are events, too, besides those that the evidence is about. */
	const struct board_watch *watches;
	uint32_t nwatches;
};

/*
 * Replays an evidence silently. Its events are written to the memory after the board of `p`. False: that is impossible,
 * or the replay ended differently; `status` is the exit status for that. The caller ends `p` and frees `m`.
 */
bool replay_events(const char *directory, const struct event_request *r, struct process *p, struct manifest *m,
                   int *status, struct error *e);

#endif
