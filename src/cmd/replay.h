/* An evidence once more, for what can be seen of it only then. */
#ifndef OMEN_REPLAY_H
#define OMEN_REPLAY_H

#include "cmd/launch.h"
#include "trace/manifest.h"

/*
 * Replays an evidence silently, writing down at most so many of its events behind the board of `p`. False if that
 * cannot be done or ended otherwise than recorded; `status` is the exit status for it. The caller ends `p` and frees
 * `m`.
 */
bool replay_events(const char *directory, uint64_t most, struct process *p, struct manifest *m, int *status,
                   struct error *e);

#endif
