/*
 * Sets of events that can be run alone, in the order of the trace: with an event all that it needs, and of two critical
 * sections of a lock that both have begun, the earlier has ended. (docs/design.md, "Prediction": sync-preserving)
 *
 * Such a set has the first so many events of each thread. The smallest one that has some events is found by adding what
 * is missing until nothing is. Only sections that are open where a thread stops can be in the way of others, and these
 * are few: the locks that a thread holds at each place are worked out once.
 */
#ifndef OMEN_CLOSED_SET_H
#define OMEN_CLOSED_SET_H

#include "predict/trace_clocks.h"

/* The acquires of a lock by a thread, of one kind, in order. */
struct acquires {
	uint32_t from, to; /* in `acquired` */
	uint16_t thread;
	bool shared;
};

struct sections {
	const struct trace *trace;
	struct clocks clocks;
	uint32_t *held;       /* by place in trace->program: which list of held locks is valid behind the event */
	uint32_t *held_start; /* by list: where it begins in `open`; one more than there are lists */
	uint32_t *open;       /* acquires */
	uint32_t *acquired;   /* acquires, by lock, thread and kind */
	uint32_t *places;     /* the same, each by its place in its thread */
	struct acquires *acquires;
	uint32_t group_count; /* of `acquires` */
	uint32_t *lock_start; /* by lock: where its part of `acquires` begins */
};

void sections_build(struct sections *s, const struct trace *t);
/* Only what is held where: sections_open(). */
void sections_held(struct sections *s, const struct trace *t);
void sections_free(struct sections *s);

/* The locks held behind the first `length` events of a thread, as acquires. */
static inline const uint32_t *sections_open(const struct sections *s, uint32_t thread, uint32_t length, uint32_t *count)
{
	uint32_t list = length ? s->held[s->trace->thread_start[thread] + length - 1] : 0;

	*count = s->held_start[list + 1] - s->held_start[list];
	return s->open + s->held_start[list];
}

#define LOCKS_KEPT 4

/* Locks that are held at all of some accesses, but not more than these. */
struct common_locks {
	uint32_t lock[LOCKS_KEPT];
	bool shared[LOCKS_KEPT]; /* at some */
	uint32_t count;
};

/* Takes one more access, or the first, in. */
void common_locks_keep(struct common_locks *c, const struct sections *s, uint32_t event, bool first);
/* Whether no two accesses of the two can be made at once. */
bool common_locks_exclude(const struct common_locks *a, const struct common_locks *b);

struct ideal {
	const struct sections *sections;
	uint32_t *length; /* by thread: how many of its events are in */
	bool closed;
	/* Threads that have some in, and of these such as stop with a lock held; `spot`: where in `stopped`, from 1 on.
	 */
	uint32_t *touched, *stopped, *spot, touched_count, stopped_count;
	/* By group of acquires: where the first that is not in was last seen, since the ideal was cleared. */
	struct {
		uint32_t at, since;
	} *seen;
	uint32_t cleared; /* so often */
};

void closed_set_start(struct ideal *i, const struct sections *s);
/* Starts again, with nothing. */
void closed_set_clear(struct ideal *i);
/* Adds what must come before an event, not the event. */
void closed_set_add_before(struct ideal *i, uint32_t event);
/* Adds what is missing. */
void closed_set_close(struct ideal *i);
void closed_set_free(struct ideal *i);

static inline bool closed_set_has(const struct ideal *i, uint32_t event)
{
	const struct trace *t = i->sections->trace;

	return t->local[event] < i->length[t->events[event].thread];
}

#endif
