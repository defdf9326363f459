/* The event stream of an execution (abi/timeline_events.h): off unless the board asks for it, which only replays do. */
#ifndef OMEN_TIMELINE_RECORD_H
#define OMEN_TIMELINE_RECORD_H

#include "rt/core/op.h"

/* The execution begins. */
void timeline_start(void);

/* It leaves its recording. */
void timeline_depart(void);

extern const struct observer timeline_observer;

#endif
