/*
 * Endless loops: the proof that an execution repeats itself.  The scheduler reports points, hooks report writes and
 * choices; a proven loop ends the execution.
 */
#ifndef OMEN_ENDLESS_LOOP_H
#define OMEN_ENDLESS_LOOP_H

#include "rt/core/rt.h"

/* For every point but plain accesses.  Ends the execution when it is proven endless. */
void loop_point(void);

/* Is a proof under way, so that fibers take turns whatever the strategy says? */
bool loop_turn(void);

/* The store that a load sees was chosen: it may be another one next time. */
void loop_chose(void);

/* Instrumented code writes to memory that others can see. */
void loop_wrote(void);

/* The program's memory map has changed.  Gives up a proof under way. */
void loop_forget(void);

#endif
