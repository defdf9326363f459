/*
 * An execution directed at a race (docs/design.md, "Classification"): accesses to the bytes that raced are counted, so
 * that each has a number; at one of them a replay stops, and executions go on from there that make the two accesses in
 * the order that the tool's plan asks for.
 */
#ifndef OMEN_STEER_H
#define OMEN_STEER_H

#include "rt/core/op.h"

extern const struct observer steer_observer;

/* This fiber goes on: if it is the one at the stop, it makes its access now. */
void direct_goes_on(const struct fiber *f);

/* The running fiber stays where it is until it is let go; returns when another one can run, or it was let go again. */
void direct_hold(void);
void direct_release(void);

#endif
