/*
 * What windows leave open: two accesses that are further apart than a window have not been looked at together. Which
 * pairs of places that concerns is found in one pass over each variable's accesses, by what the quick check goes by:
 * locks in common and must-happen-before. So it is an upper bound, and none means that nothing was left out.
 */
#ifndef OMEN_BEYOND_WINDOW_H
#define OMEN_BEYOND_WINDOW_H

#include "predict/tiers.h"

/* Windows begin every so many events. */
static inline uint32_t window_step(uint32_t window) { return window > 1 ? window / 2 : 1; }

/* Whether no window has both events, the earlier first. */
static inline bool is_far(uint32_t window, uint32_t earlier, uint32_t later)
{
	uint32_t step = window_step(window);

	return later - earlier / step * step >= window;
}

/*
 * Adds the pairs of places that could race where they are far apart, without those that `known` has. False: not all, as
 * there are too many accesses to compare.
 */
bool far_find(const struct trace *t, uint32_t window, const struct pairs *known, struct pairs *far);

#endif
