/* Notes what a syscall changes of the process (core/undo.h).  Only trap.c calls it. */
#ifndef OMEN_UNDO_CALLS_H
#define OMEN_UNDO_CALLS_H

#include "rt/core/call.h"

void undo_note_call(const struct call *c, long result);

#endif
