/*
 * Vector clocks that count events: a count of n for thread u says that the first n events of thread u come before.
 *
 * The counts of other threads change only where a thread learns from another one. So an event stores the number of a
 * clock that it shares with its neighbours, and its own count is its index in its thread. Clocks share common parts,
 * too: a clock is an immutable tree whose leaves hold the counts of up to 16 threads each. Without that many threads
 * take all memory: with ten thousand of them, some million clocks of 40 KB each.
 *
 * In:  a finished trace.
 * Out: the clocks before and after each of its events.
 * Called by the tiers, closed_set.c and beyond_window.c.
 */
#ifndef OMEN_TRACE_CLOCKS_H
#define OMEN_TRACE_CLOCKS_H

#include "predict/trace.h"

#ifndef CLOCK_BITS
#define CLOCK_BITS 4 /* tests use fewer, for deep trees with few threads */
#endif
#define CLOCK_FANOUT (1u << CLOCK_BITS)

/* The counts of a leaf, or the numbers of the nodes below. Node 0 has only zeros, at any height. */
struct clock_node {
	uint32_t at[CLOCK_FANOUT];
};

struct clocks {
	const struct trace *trace;
	uint32_t threads;
	unsigned height; /* of the trees; 0: one leaf */
	struct clock_node *nodes;
	uint32_t count;
	size_t capacity;
	uint32_t *after;  /* by place in trace->thread_events: the clock after the event, as the number of its root */
	uint32_t *starts; /* by thread: the clock before its first event, with what its fork knew */
	/* The same for events of threads that were forked again, in rising order. There are few. */
	struct restart {
		uint32_t event, clock;
	} *restarts;
	uint32_t restart_count, restart_capacity;
};

/*
 * What orders events. Each value includes the ones before it.
 * CLOCKS_EDGES: an event comes after the one before it in its thread, and after its edges.
 * CLOCKS_READS: a read comes after the write that it saw, a TAKE after its POST.
 * CLOCKS_LOCKS: an acquire comes after the releases of its lock that it excludes.
 */
enum clock_order { CLOCKS_EDGES, CLOCKS_READS, CLOCKS_LOCKS };

void clocks_build(struct clocks *c, const struct trace *t, enum clock_order order);
void clocks_free(struct clocks *c);

static inline uint32_t clocks_get(const struct clocks *c, uint32_t clock, uint32_t thread)
{
	for (unsigned h = c->height; h; h--)
		clock = c->nodes[clock].at[thread >> h * CLOCK_BITS & (CLOCK_FANOUT - 1)];
	return c->nodes[clock].at[thread & (CLOCK_FANOUT - 1)];
}

uint32_t clocks_restart(const struct clocks *c, uint32_t event);

/* The clock before an access: all that it must wait for. The write that it reads is not part of it. */
static inline uint32_t clocks_before(const struct clocks *c, uint32_t event)
{
	const struct trace *t = c->trace;
	uint32_t thread = t->events[event].thread, index = t->thread_index[event];

	if (index && t->events[event].flags & EVENT_EDGES)
		return clocks_restart(c, event);
	return index ? c->after[t->thread_start[thread] + index - 1] : c->starts[thread];
}

static inline uint32_t clocks_after(const struct clocks *c, uint32_t event)
{
	return c->after[c->trace->thread_start[c->trace->events[event].thread] + c->trace->thread_index[event]];
}

#endif
