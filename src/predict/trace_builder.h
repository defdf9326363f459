/*
 * The state of a trace that is being built: what the rules of its objects allow next.
 *
 * In:  the events that trace_add() gets.
 * Out: whether an execution can do such an event, its match and its edges.
 * Called by trace_build.c and trace_sync.c only; trace.c frees what is left.
 */
#ifndef OMEN_TRACE_BUILDER_H
#define OMEN_TRACE_BUILDER_H

#include <stddef.h>

#include "predict/trace.h"

/* A list of numbers that grows. */
struct number_list {
	uint32_t *at;
	size_t count, capacity;
};

struct hold {
	uint32_t acquire, depth;
	uint16_t thread;
	bool shared;
};

struct lock_state {
	struct hold *holds; /* one, or several that share the lock */
	uint32_t count, capacity;
};

struct condition_state {
	uint32_t waiting;              /* threads */
	struct number_list signals;    /* notifications that have woken no thread yet; empty while no thread waits */
	struct number_list broadcasts; /* the same for all waiters; these are never used up */
};

struct barrier_state {
	struct number_list arrivals; /* of all rounds, one after the other */
	struct number_list rounds;   /* by round: where it begins in `arrivals` */
	bool open;                   /* the last round still takes arrivals */
};

struct thread_state {
	uint32_t first, last;
	uint32_t fork, join; /* the last fork and join of it, or NO_EVENT */
	bool forked;         /* forked, and has done nothing after that */
	bool joined, ended;  /* and not forked again after that */
	/* The only operation that may follow: WAKE, LEAVE, or BEGIN for any. */
	uint8_t next_op;
	/*
	 * Where the thread is in a WAIT: the event, its lock and condition, and the depth of its hold. In an ARRIVE:
	 * the event, its barrier and round.
	 */
	uint32_t event, object, condition, depth, round;
};

struct variable_state {
	uint32_t writer;
};

/*
 * The state of all objects of a kind, after the events so far. The initial state is all zero bytes, for variables and
 * initialisers all 0xff.
 */
struct state_table {
	char *at;
	size_t count;
};

struct trace_builder {
	size_t capacity, edge_capacity;
	struct state_table threads, variables, locks, conditions, barriers, onces;
	uint32_t semaphores; /* how many semaphores sem_initial has room for */
};

void trace_list_add(struct number_list *l, uint32_t value);
/* The state of one object; all bytes are `fill` if it is new. */
void *trace_state_of(struct state_table *t, uint32_t id, size_t size, int fill);
struct thread_state *trace_thread_of(struct trace *t, uint32_t id);
const char *trace_name_of(const struct trace *t, enum object_kind kind, uint32_t id);
/* Adds an edge from `before` to the event that is being added. */
bool trace_add_edge(struct trace *t, uint32_t before, struct error *e);
/* The same, unless `before` is NO_EVENT or of the same thread. */
bool trace_add_edge_from(struct trace *t, const struct trace_event *n, uint32_t before, struct error *e);
/* Applies an event to the state of its lock, condition, thread, barrier or initialiser. False: the rules forbid it. */
bool trace_add_sync(struct trace *t, struct trace_event *n, struct error *e);
/* Frees the state; for a trace that has none it does nothing. */
void trace_builder_free(struct trace *t);

#endif
