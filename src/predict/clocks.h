/*
 * What comes before each event, as vector clocks that count events: clock[u] = n says that the first n events of thread
 * u come before it.
 *
 * All threads' counts but its own change only where a thread learns something from another. So an event has the number
 * of a row that it shares with its neighbours, and its own count is its place in its thread.
 */
#ifndef OMEN_PREDICT_CLOCKS_H
#define OMEN_PREDICT_CLOCKS_H

#include "predict/trace.h"

struct clocks {
	const struct trace *trace;
	uint32_t threads;
	uint32_t *rows; /* `threads` counts each; row 0 is all zero */
	uint32_t count, capacity;
	uint32_t *after;  /* by place in trace->program: the row behind the event */
	uint32_t *starts; /* by thread: the row before its first event, but behind its fork */
};

/*
 * Behind an event is what was behind the one before it in its thread, and what is behind
 * - its edges, the post of a take, the write that a read saw;
 * - if `locks`: the releases of its lock that exclude it.
 */
void clocks_build(struct clocks *c, const struct trace *t, bool locks);
void clocks_free(struct clocks *c);

static inline const uint32_t *clocks_row(const struct clocks *c, uint32_t row)
{
	return c->rows + (size_t)row * c->threads;
}

/* The row before an event, behind all it must wait for; not behind the write that it reads, if it does. */
static inline uint32_t clocks_before(const struct clocks *c, uint32_t event)
{
	const struct trace *t = c->trace;
	uint32_t thread = t->events[event].thread, local = t->local[event];

	return local ? c->after[t->thread_start[thread] + local - 1] : c->starts[thread];
}

/* The row behind an event. */
static inline uint32_t clocks_after(const struct clocks *c, uint32_t event)
{
	return c->after[c->trace->thread_start[c->trace->events[event].thread] + c->trace->local[event]];
}

#endif
