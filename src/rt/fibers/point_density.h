/*
 * Dense and sparse points: whether plain accesses are points, in an execution that has left its recording
 * (mode_is(DEPARTED)).
 *
 * At first every plain access is a point.  In a long execution points become sparse: they are where threads
 * synchronise, where a loop's budget is used up, and at accesses to the bytes of the race that the execution is about.
 * After each of these except the loops, the next accesses are points again.  All of it follows from the points made so
 * far, so a replay does the same by itself.
 *
 * While points are sparse, only invalid accesses reach a slow hook (memory_take_cells()), and accesses that may race
 * where races are still looked for.
 *
 * In: points, used-up loop budgets, accesses to the race's bytes.  Out: the mode SPARSE, and a point at such accesses.
 * For the scheduler, for rt/snapshot and the strategies that leave a recording, and for rt/access, which makes access
 * points.
 */
#ifndef OMEN_POINT_DENSITY_H
#define OMEN_POINT_DENSITY_H

#include "rt/core/op.h"

#define DENSE_FIRST    50000 /* points that stay dense after the recording is left */
#define DENSE_AGAIN    32    /* points that stay dense after one that others may notice */
#define LOOP_POINTS    20    /* a used-up loop budget counts as this many points */
#define SPARSE_STRETCH 6     /* loops take longer turns while points are sparse: omen.most_stretch */

/* Makes points dense: the execution leaves its recording; a fiber does something that others may notice. */
void density_start(void);
void density_stay_dense(void);

/* Points were dense for long enough: makes them sparse. */
void density_begin_sparse(void);

/* The running fiber blocks, or is held or released. */
static inline void density_turn(void)
{
	if (mode_is(DEPARTED))
		density_stay_dense();
}

/* The budget of a loop is used up. */
void density_loop(void);

extern const struct observer density_observer;

#endif
