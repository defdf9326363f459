/*
 * An execution directed at a race (docs/design.md, "Classification"): accesses to the bytes that raced are counted, so
 * that each has a number; at one of them a replay stops, and executions go on from there that make the two accesses in
 * the order that the tool's plan asks for.
 */
#ifndef OMEN_STEER_H
#define OMEN_STEER_H

#include "rt/core/rt.h"

/* An access to watched bytes is about to be made, perhaps; only while mode_is(COUNT_TOUCHES). */
void direct_touch(uint64_t address, uint64_t size, uint32_t flags, const struct omen_site *site);

/*
 * A library function is called that may write so many bytes there, which it tells when it is over: if that is the
 * access of a stop, the stop is here.
 */
void direct_touch_late(uint64_t address, uint64_t most, const struct omen_site *site);

/* Nobody else gets on any more: if a thread is held it is let go, and this is why. False: nobody is held. */
bool direct_give_up(enum plan_outcome why);

/* How often the plan's other access was made so far, while the thread is held. */
uint64_t direct_touches(void);
/* The state repeats: it was the same after so many of them. As direct_give_up(PLAN_SPINS). */
bool direct_repeats(uint64_t touches);

/* Only one thread is to go on, so no proof may let the others take turns. */
bool direct_goes_alone(void);

/* This fiber goes on: if it is the one at the stop, it makes its access now. */
void direct_goes_on(const struct fiber *f);

/* The running fiber stays where it is until it is let go; returns when another one can run, or it was let go again. */
void direct_hold(void);
/* Nobody could run, so the clock is put forward. */
void direct_time_passes(int64_t nanoseconds);
void direct_release(void);

#endif
