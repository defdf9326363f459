/*
 * Two executions make the two accesses of a race in different orders (steer.c).  Is the state after both accesses the
 * same?  Then everything that can follow is the same (docs/design.md, "States").
 *
 * In: what fibers do between compare_begin() and compare_end(), as operations.  Out: a hash of the state.  For steer.c.
 */
#ifndef OMEN_COMPARE_ORDERS_H
#define OMEN_COMPARE_ORDERS_H

#include "rt/core/op.h"

/*
 * Up to here both executions have the same state.  From compare_begin() to compare_end() this module notes what fibers
 * do (mode_is(COMPARE)).
 */
void compare_begin(void);
void compare_end(void);

/* The running fiber has made its access and is at a point: notes its place. */
void compare_here(void);

extern const struct observer compare_observer;

/*
 * Returns a hash of the state, and sets *world to a hash of what was done to the world outside of it.  If only *world
 * differs, it is unknown whether the states are equal.  0: the state cannot be determined.
 */
uint64_t compare_state(uint64_t *world);

#endif
