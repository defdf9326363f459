/*
 * The event stream of an execution (abi/timeline_events.h).  It is off unless the board asks for it, which only replays
 * do.  In: operations.  Out: events and their stacks on the board.  For rt/start and modules that make an execution
 * leave its recording.
 */
#ifndef OMEN_TIMELINE_RECORD_H
#define OMEN_TIMELINE_RECORD_H

#include "rt/core/op.h"

/* The execution begins. */
void timeline_start(void);

/* The execution leaves its recording. */
void timeline_depart(void);

extern const struct observer timeline_observer, touches_observer;

#endif
