/*
 * Two executions that make the two accesses of a race in different orders (steer.c): is the state after both the same?
 * Then all that can follow is the same (docs/design.md, "States").
 */
#ifndef OMEN_COMPARE_ORDERS_H
#define OMEN_COMPARE_ORDERS_H

#include "rt/core/op.h"

/* From here on both are the same program in the same state; until the end, what fibers do is noted (mode_is(COMPARE)).
 */
void compare_begin(void);
void compare_end(void);

/* The running fiber is behind its access, at a point. */
void compare_here(void);

extern const struct observer compare_observer;

/*
 * A hash of the state, and one of what was done to the world outside of it: if only that differs, it is not known
 * whether the states are equal.  0: the state cannot be told.
 */
uint64_t compare_state(uint64_t *world);

#endif
