/*
 * Steps: an execution in which every operation that others can notice is a point of its own, and what happens between
 * two points is written down (abi/steps.h), so that the tool can go through all interleavings.
 */
#ifndef OMEN_STEP_RECORD_H
#define OMEN_STEP_RECORD_H

#include "rt/core/op.h"

extern const struct observer steps_observer;

/* Before executions are made: what does the program call? */
void steps_look_at_program(void);
/* The execution leaves its recording, and config.every asks for it: from the first thread on. */
void steps_depart(void);

/* For strategy/exhaust.c: who runs next, and which of n possibilities happens. */
struct fiber *steps_choose(void);
uint32_t steps_pick(uint32_t n);

#endif
