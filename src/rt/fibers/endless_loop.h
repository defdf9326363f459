/* Endless loops: proof that an execution repeats itself. */
#ifndef OMEN_ENDLESS_LOOP_H
#define OMEN_ENDLESS_LOOP_H

#include "rt/core/rt.h"

/* Called at every point but plain accesses; ends the execution when it is proven endless. */
void loop_point(void);

/* A proof is being tried: fibers take turns, whatever the strategy. */
bool loop_turn(void);

/* What a load sees was chosen: it may be something else next time. */
void loop_chose(void);

/* Instrumented code writes to memory that others can see. */
void loop_wrote(void);

/* The program's memory map has changed: a proof under way is given up. */
void loop_forget(void);

#endif
