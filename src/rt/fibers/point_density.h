/*
 * Whether plain accesses are points, in an execution that has left its recording (mode_is(DEPARTED)).
 *
 * At first all of them are.  A long execution is calm then: there are points where it synchronises, where a loop's
 * budget is used up, and at accesses to the bytes of the race that it is about; behind each of these but the loops the
 * next accesses are points again.  All of it follows from the points made so far, so a replay does the same by itself.
 *
 * Who is calm has hooks for wrong accesses only (guard_take_cells()), and for those that may race where that is of
 * interest.
 */
#ifndef OMEN_POINT_DENSITY_H
#define OMEN_POINT_DENSITY_H

#include "rt/core/op.h"

#define CALM_FIRST   50000 /* points, where a recording is left */
#define CALM_AGAIN   32
#define CALM_LOOP    20 /* points that a used-up loop budget counts for */
#define CALM_STRETCH 6  /* who is calm takes longer turns: omen.most_stretch */

/* Accesses are points, at least for the next ones: where a recording is left; and where somebody does something that
 * others may notice. */
void calm_later(void);
void calm_not_now(void);

/* They were points for long enough. */
void calm_begin(void);

static inline void calm_turn(void)
{
	if (mode_is(DEPARTED))
		calm_not_now();
}

/* A loop's budget is used up. */
void calm_loop(void);

extern const struct observer density_observer;

#endif
