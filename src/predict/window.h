/*
 * A window: a stretch of a trace whose events may come in another order, after all events before it, as they were.
 *
 * In:  a trace, the state that the events before the window have left, and the accesses to put in order.
 * Out: the events of the window that matter for the order, and what must hold between them.
 * Called by the maximal tier, candidates.c, order_solver.c and witness.c.
 *
 * Only events that matter to other threads have a place in the order: they are the nodes of the window. Each other
 * event goes with the node before it in its thread.
 *
 * Words: a read is *right* if it sees the value that it saw in the trace. A read *varies* if the order of the window
 * decides what it sees. Confined reads, fed writes, pins: trace.h.
 */
#ifndef OMEN_WINDOW_H
#define OMEN_WINDOW_H

#include "predict/window_prefix.h"

struct order_node {
	uint32_t event;
	uint32_t previous; /* the node before it in its thread, or NONE */
	/* Of the varying reads of its thread that are not confined: */
	uint32_t needs_unconfined; /* how many must be right before it can be next */
	uint32_t unconfined;       /* how many there are up to it, including itself */
	bool pinned;               /* can be in the order only if all these are right */
	uint32_t needs_confined;   /* of the confined ones: how many must be right before it can be next */
	/* A join: how many reads of the joined thread must be right for it to be in the order. */
	uint32_t needs_joined;
};

/* A critical section: a thread has a lock from one node to another. */
struct section {
	uint32_t lock;
	uint32_t acquire; /* a node; NONE: it has the lock when the window starts */
	uint32_t release; /* a node; NONE: not in this window */
	uint16_t thread;
	bool shared;
};

/*
 * A write that other threads may see, or a varying read.
 *
 * Where all accesses to a variable in the window have a lock in common, other threads see only the last write of a
 * section, and nothing comes between its accesses. So the section stands for its accesses: the order of the sections is
 * theirs.
 */
struct access {
	uint32_t event;
	/*
	 * The node that stands for it: its own, or the acquire of its section; NONE: the section started before the
	 * window.
	 */
	uint32_t anchor;
	/*
	 * How many reads of its thread vary, up to it and including it: those that are not confined, and the confined
	 * ones.
	 */
	uint32_t unconfined, confined;
	uint32_t slot;   /* the number of its variable in the window, see below */
	uint16_t thread; /* the window's number of its thread */
};

/*
 * An unconfined read that can only see a fed write of its own thread: it is right only if the confined reads before
 * that write are. It counts as a varying read of its thread.
 */
struct own_read {
	uint32_t unconfined; /* of the read */
	uint32_t confined;   /* of the write */
	uint16_t thread;
};

/* A wait that a notification ended: three nodes. */
struct wake {
	uint32_t wait, notify, wake;
};

struct window {
	const struct trace *trace;
	const struct window_prefix *prefix; /* the state at `start` */
	uint32_t start, end;

	struct order_node *nodes;
	uint32_t node_count;
	uint32_t *node_of; /* by event, from `start` on: its node or NONE */

	uint32_t thread_count;
	uint32_t *threads;   /* the trace's numbers of the window's threads, in the order of their appearance */
	uint32_t *thread_of; /* by thread of the trace: its number in the window; NONE: it has no event here */

	struct edge *edges; /* between nodes */
	uint32_t edge_count;

	struct wake *wakes;
	uint32_t wake_count;

	struct section *sections; /* sorted by lock, those of a lock in the order of the trace */
	uint32_t section_count;

	struct access *varying_reads; /* in the order of the trace */
	uint32_t varying_read_count;
	struct own_read *own_reads;
	uint32_t own_read_count;

	/*
	 * A slot is the window's number of a variable that varying reads access. The writes are sorted by slot, those
	 * of a slot in the order of the trace.
	 */
	uint32_t slot_count, write_count;
	uint32_t *slot_variable, *slot_start;
	struct access *writes;

	/* Nodes of semaphores that can run out, sorted by semaphore, those of one in the order of the trace. */
	uint32_t *takes, *posts;
	uint32_t take_count, post_count;
};

/*
 * Makes the window from the end of the prefix to `end`. `is_candidate`, by event from the start of the window on: the
 * accesses that must be nodes.
 */
void window_make(struct window *w, const struct trace *t, const struct window_prefix *c, uint32_t end,
                 const bool *is_candidate);
void window_free(struct window *w);

static inline const struct trace_event *node_event(const struct window *w, uint32_t node)
{
	return &w->trace->events[w->nodes[node].event];
}

static inline uint32_t written_value(const struct trace_event *e) { return e->op == OP_RMW ? e->written : e->value; }

/* Whether a read that sees this write (NO_EVENT: the initial value) is right. */
bool read_agrees(const struct trace *t, uint32_t read, uint32_t write);

#endif
