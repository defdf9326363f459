/*
 * The replayer.  In: a call.  Out: what the recording's log answers; the execution ends where the call is another one
 * than the recorded.  Some things are done for real: memory is the process's own, files that are only read are read
 * again, and output to the standard descriptors is shown again.  Only world.c calls it.
 */
#ifndef OMEN_REPLAY_H
#define OMEN_REPLAY_H

#include "rt/world/call_rules.h"

long replay_call(long nr, const struct call_rule *r, const long arg[6]);

#endif
