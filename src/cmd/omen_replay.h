/* An evidence once more, for what can be seen of it only then. */
#ifndef OMEN_OMEN_REPLAY_H
#define OMEN_OMEN_REPLAY_H

#include "run/launch.h"
#include "format/manifest.h"

struct event_request {
	uint64_t most;                     /* events */
	const struct board_watch *watches; /* accesses to these are events, too; and those to what the evidence is of */
	uint32_t nwatches;
};

/*
 * Replays an evidence silently, writing down its events behind the board of `p`. False if that cannot be done or ended
 * otherwise than recorded; `status` is the exit status for it. The caller ends `p` and frees `m`.
 */
bool replay_events(const char *directory, const struct event_request *r, struct process *p, struct manifest *m,
                   int *status, struct error *e);

#endif
