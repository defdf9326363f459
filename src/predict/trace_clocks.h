/*
 * What comes before each event, as vector clocks that count events: n for thread u says that the first n events of
 * thread u come before it.
 *
 * All threads' counts but its own change only where a thread learns something from another. So an event has the number
 * of a clock that it shares with its neighbours, and its own count is its place in its thread. Clocks share what they
 * have in common, too: they are trees that are never changed, of counts for up to 16 threads each at the leaves. Many
 * threads would otherwise take all memory: ten thousand of them, 40 KB for each of some million clocks.
 */
#ifndef OMEN_TRACE_CLOCKS_H
#define OMEN_TRACE_CLOCKS_H

#include "predict/trace.h"

#ifndef CLOCK_BITS
#define CLOCK_BITS 4 /* tests have smaller ones, for deep trees with few threads */
#endif
#define CLOCK_FANOUT (1u << CLOCK_BITS)

/* Counts of a leaf, or numbers of the nodes below; 0 is the node that has only zeros, at any height. */
struct clock_node {
	uint32_t at[CLOCK_FANOUT];
};

struct clocks {
	const struct trace *trace;
	uint32_t threads;
	unsigned height; /* of the trees: 0 is a leaf alone */
	struct clock_node *nodes;
	uint32_t count;
	size_t capacity;
	uint32_t *after;  /* by place in trace->program: the clock behind the event, as the number of its root */
	uint32_t *starts; /* by thread: the clock before its first event, but behind its fork */
	/* The same for threads that were forked again: by event, in rising order. There are few. */
	struct restart {
		uint32_t event, clock;
	} *restarts;
	uint32_t restart_count, restart_capacity;
};

/*
 * What orders events: behind one is what was behind the one before it in its thread, and what is behind its edges; the
 * post of a take and the write that a read saw; the releases of its lock that exclude it. Each has those before it.
 */
enum clocks_of { CLOCKS_EDGES, CLOCKS_READS, CLOCKS_LOCKS };

void clocks_build(struct clocks *c, const struct trace *t, enum clocks_of of);
void clocks_free(struct clocks *c);

/* The count of a thread. */
static inline uint32_t clocks_get(const struct clocks *c, uint32_t clock, uint32_t thread)
{
	for (unsigned h = c->height; h; h--)
		clock = c->nodes[clock].at[thread >> h * CLOCK_BITS & (CLOCK_FANOUT - 1)];
	return c->nodes[clock].at[thread & (CLOCK_FANOUT - 1)];
}

uint32_t clocks_restart(const struct clocks *c, uint32_t event);

/* The clock before an access, behind all it must wait for; not behind the write that it reads, if it does. */
static inline uint32_t clocks_before(const struct clocks *c, uint32_t event)
{
	const struct trace *t = c->trace;
	uint32_t thread = t->events[event].thread, local = t->local[event];

	if (local && t->events[event].flags & EVENT_EDGES)
		return clocks_restart(c, event);
	return local ? c->after[t->thread_start[thread] + local - 1] : c->starts[thread];
}

/* The clock behind an event. */
static inline uint32_t clocks_after(const struct clocks *c, uint32_t event)
{
	return c->after[c->trace->thread_start[c->trace->events[event].thread] + c->trace->local[event]];
}

#endif
