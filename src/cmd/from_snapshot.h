/* Executions that go on from the middle of a recorded one. */
#ifndef OMEN_FROM_SNAPSHOT_H
#define OMEN_FROM_SNAPSHOT_H

#include "cmd/options.h"
#include "cmd/load_recording.h"

/*
 * omen replay --from-snapshot: replays to that event once, and from there makes as many executions as the options say:
 * as recorded, or with another strategy against the model of the world. The exit status.
 */
int onward(const struct options *o, const struct recorded *r);

#endif
