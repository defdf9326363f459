/*
 * Steps, for the execution of all interleavings: every operation that other threads can notice is a point of its own,
 * and a log says what happens between two points (abi/steps.h).
 *
 * In: operations, and the guide on the board, which says which choices to make first.  Out: the log on the board, and
 * the next fiber.  For rt/snapshot, which begins this, and for strategy/exhaust.c.
 */
#ifndef OMEN_STEP_RECORD_H
#define OMEN_STEP_RECORD_H

#include "rt/core/op.h"

extern const struct observer step_observer;

/* Call this before the first execution: checks which functions the program imports. */
void step_record_look_at_program(void);
/* The execution leaves its recording.  config.every_operation: from the first thread on, steps are logged. */
void step_record_depart(void);

/* For strategy/exhaust.c: which fiber runs next, and which of n possibilities happens. */
struct fiber *step_record_choose(void);
uint32_t step_record_pick(uint32_t n);

#endif
