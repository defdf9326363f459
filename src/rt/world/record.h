/*
 * The recorder.  In: a call.  Out: what the kernel answers now, which stands in the log as well.  Only world.c calls
 * it.
 */
#ifndef OMEN_RECORD_H
#define OMEN_RECORD_H

#include "rt/world/call_rules.h"

long record_call(long nr, const struct call_rule *r, const long arg[6]);

/* Notes on the board that it is not known what the call fills: the tool says that a replay may differ. */
void record_note_unknown(long nr);

#endif
