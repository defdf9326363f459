/*
 * The state that the events before a window have left: last writes, tokens of semaphores, held locks.
 *
 * In:  a finished trace, and how far to go.
 * Out: that state.
 * Called by the maximal tier, which advances it from window to window; the rest of src/predict reads it.
 */
#ifndef OMEN_WINDOW_PREFIX_H
#define OMEN_WINDOW_PREFIX_H

#include "predict/trace.h"

#define NONE UINT32_MAX

struct window_prefix {
	uint32_t end;         /* the first event that is not part of it */
	uint32_t *last_write; /* by variable; NO_EVENT: there was none */
	uint32_t *tokens;     /* by semaphore: its tokens */
	uint32_t *held;       /* the acquires whose release is still to come */
	uint32_t held_count, held_capacity;
	uint32_t *scratch; /* by variable, all NONE: for window_make() */
};

void window_prefix_start(struct window_prefix *c, const struct trace *t);
/* Adds the events up to `event`, without it. */
void window_prefix_advance(struct window_prefix *c, const struct trace *t, uint32_t event);
void window_prefix_free(struct window_prefix *c);

#endif
