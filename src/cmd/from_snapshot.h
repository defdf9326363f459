/*
 * omen replay --from-snapshot: executions that continue from the middle of a recorded one.
 *
 * In:  the options, and a loaded recording.
 * Out: one line for each kind of execution that was seen, on stdout; the exit status.
 * Called by omen replay.
 */
#ifndef OMEN_FROM_SNAPSHOT_H
#define OMEN_FROM_SNAPSHOT_H

#include "cmd/options.h"
#include "cmd/load_recording.h"

/*
 * Replays to the point once. From there it makes as many executions as the options say: as recorded, or by another
 * strategy against the model of the world. Returns the exit status.
 */
int replay_from_snapshot(const struct options *o, const struct recorded *r);

#endif
