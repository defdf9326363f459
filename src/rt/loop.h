/* Endless loops: proof that an execution repeats itself. */
#ifndef OMEN_LOOP_H
#define OMEN_LOOP_H

#include "rt/rt.h"

/* Called at every point but plain accesses; ends the execution when it is proven endless. */
void loop_point(void);

/* A proof is being tried: fibers take turns, whatever the strategy. */
bool loop_turn(void);

/* A hash of [low, high), whole words of it, and of h. */
uint64_t loop_hash(uint64_t h, uint64_t low, uint64_t high);

/* A proof is being tried: every access is of interest. */
bool loop_watches(void);

/* What a load sees was chosen: it may be something else next time. */
void loop_chose(void);

/* Instrumented code writes to memory that others can see. */
void loop_wrote(void);

/* The program's memory map has changed: a proof under way is given up. */
void loop_forget(void);

/*
 * A hash of the whole state: memory, and the stacks and registers of all fibers, of those that were noted at the point
 * where that was done, since the last loop_note(NULL). 0: it cannot be told.
 */
void loop_note(struct fiber *f);
uint64_t loop_state(void);

#endif
