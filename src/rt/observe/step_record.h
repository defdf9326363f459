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

extern const struct observer steps_observer;

/* Call this before the first execution: checks which functions the program imports. */
void steps_look_at_program(void);
/* The execution leaves its recording.  If config.every_operation asks for it, steps are logged from the first thread
 * on. */
void steps_depart(void);

/* For strategy/exhaust.c: which fiber runs next, and which of n possibilities happens. */
struct fiber *steps_choose(void);
uint32_t steps_pick(uint32_t n);

#endif
