/*
 * Endless loops: the proof that an execution repeats itself.  In: the scheduler reports points, the hooks report writes
 * and choices.  Out: a proven loop ends the execution.
 */
#ifndef OMEN_ENDLESS_LOOP_H
#define OMEN_ENDLESS_LOOP_H

#include "rt/core/rt.h"

/* The scheduler calls this at every point except plain accesses.  Ends the execution when it is proven endless. */
void loop_point(void);

/* True while a proof is under way: then fibers take turns, and the strategy is not asked. */
bool loop_turn(void);

/* An atomic load has chosen the store that it sees.  The next time it may choose another. */
void loop_chose(void);

/* Instrumented code writes to memory that other fibers can see. */
void loop_wrote(void);

/* The program's memory map has changed.  Gives up a proof under way. */
void loop_forget(void);

#endif
