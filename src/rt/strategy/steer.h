/*
 * Steers an execution to one order of a race's two accesses (docs/design.md, "Classification").  It counts the accesses
 * to the bytes that raced, so that each has a number.  A replay stops at one of them, and executions continue from
 * there; each makes the two accesses in the order that the tool's plan asks for.
 *
 * In: operations, and stops and plans on the board.  Out: the next fiber, and the outcome of the plan on the board. For
 * rt/start, and for the strategies, which call the functions below.
 */
#ifndef OMEN_STEER_H
#define OMEN_STEER_H

#include "rt/core/op.h"

extern const struct observer steer_observer;

/* This fiber continues.  If it is the one at the stop, it makes its access now. */
void steer_goes_on(const struct fiber *f);

/*
 * steer_hold: holds the running fiber where it is.  Returns when another fiber can run, or when the fiber was released
 * again.  steer_release: releases the held fiber, if there is one.
 */
void steer_hold(void);
void steer_release(void);

#endif
