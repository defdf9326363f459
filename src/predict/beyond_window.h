/*
 * Finds what windows leave open: two accesses that are further apart than a window were not compared.
 *
 * In:  a trace, the size of the windows, and the pairs of places that are known to race.
 * Out: the other pairs of places that could race where they are further apart.
 * Called by the maximal tier; candidates.c uses the inline functions.
 *
 * One pass over the accesses to each variable finds them, by the same rules as candidates.h: locks in common, and
 * must-happen-before. So the result is an upper bound, and if it is empty nothing was left out.
 */
#ifndef OMEN_BEYOND_WINDOW_H
#define OMEN_BEYOND_WINDOW_H

#include "predict/place_pairs.h"

/* A window begins every so many events. */
static inline uint32_t window_step(uint32_t window) { return window > 1 ? window / 2 : 1; }

/* Whether no window has both events; `earlier` comes before `later` in the trace. */
static inline bool is_beyond_window(uint32_t window, uint32_t earlier, uint32_t later)
{
	uint32_t step = window_step(window);

	return later - earlier / step * step >= window;
}

/*
 * Adds to `far` the pairs of places that could race where they are far apart, without those that `known` has. False:
 * some may be missing, as there are too many accesses to compare.
 */
bool beyond_window_find(const struct trace *t, uint32_t window, const struct pairs *known, struct pairs *far);

#endif
