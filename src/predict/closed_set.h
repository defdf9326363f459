/*
 * Closed sets of events of a trace. Such a set can be run without the rest of the trace, in the order of the trace.
 * (docs/design.md, "Prediction": sync-preserving)
 *
 * A closed set has, with each event, all events that it needs. If two critical sections of a lock have both begun in
 * the set, the earlier one has also ended in it.
 *
 * Such a set consists of the first so many events of each thread. closed_set_close() finds the smallest closed set that
 * has some given events: it adds what is missing until nothing is. Only a section that is open where a thread stops can
 * block another one, and there are few of them: sections_build() computes once which locks a thread holds at each
 * place.
 *
 * In:  a trace, from trace_finish() on.
 * Out: the critical sections of its locks; closed sets of its events; locks that accesses have in common.
 * Called by the tiers and by the makers of witnesses.
 */
#ifndef OMEN_CLOSED_SET_H
#define OMEN_CLOSED_SET_H

#include "predict/trace_clocks.h"

/* The acquires of one lock by one thread, all shared or all exclusive, in order. */
struct acquire_group {
	uint32_t from, to; /* indices into `acquired` */
	uint16_t thread;
	bool shared;
};

struct sections {
	const struct trace *trace;
	struct clocks clocks;
	uint32_t *held; /* by place in trace->thread_events: the list of locks that the thread holds after the event */
	uint32_t *held_start;     /* by list: where it begins in `held_acquires`; one entry more than there are lists */
	uint32_t *held_acquires;  /* all lists, one after the other */
	uint32_t *acquired;       /* acquires, sorted by lock, thread and kind */
	uint32_t *acquired_index; /* the same acquires, each as its index in its thread */
	struct acquire_group *groups;
	uint32_t group_count;  /* of `groups` */
	uint32_t *lock_groups; /* by lock: the index of its first group; one entry more than there are locks */
};

void sections_build(struct sections *s, const struct trace *t);
/* Builds only what sections_held_after() needs. */
void sections_build_held(struct sections *s, const struct trace *t);
void sections_free(struct sections *s);

/* The locks that a thread holds after its first `length` events, as acquires. */
static inline const uint32_t *sections_held_after(const struct sections *s, uint32_t thread, uint32_t length,
                                                  uint32_t *count)
{
	uint32_t list = length ? s->held[s->trace->thread_start[thread] + length - 1] : 0;

	*count = s->held_start[list + 1] - s->held_start[list];
	return s->held_acquires + s->held_start[list];
}

#define LOCKS_KEPT 4

/* Locks that are held at every one of some accesses, but at most this many. */
struct common_locks {
	uint32_t lock[LOCKS_KEPT];
	bool shared[LOCKS_KEPT]; /* at least one of the accesses holds it shared */
	uint32_t count;
};

/* Adds an access; `first`: starts anew with it. */
void common_locks_keep(struct common_locks *c, const struct sections *s, uint32_t event, bool first);
/* Whether a lock keeps every access of `a` apart from every access of `b`. */
bool common_locks_exclude(const struct common_locks *a, const struct common_locks *b);

struct closed_set {
	const struct sections *sections;
	uint32_t *length; /* by thread: how many of its events are in the set */
	bool closed;
	/*
	 * The threads with events in the set, and those of them that stop with a lock held. `stopped_at`: a thread's
	 * index in `stopped` plus 1, or 0.
	 */
	uint32_t *touched, *stopped, *stopped_at, touched_count, stopped_count;
	/*
	 * By group of acquires: the first acquire that was outside of the set at the last search, and the round of that
	 * search.
	 */
	struct {
		uint32_t at, round;
	} *seen;
	uint32_t round; /* counts the calls of closed_set_clear(): entries of `seen` from earlier rounds are void */
};

void closed_set_start(struct closed_set *set, const struct sections *s);
/* Empties the set. */
void closed_set_clear(struct closed_set *set);
/* Adds the events that must come before `event`, without `event` itself. */
void closed_set_add_before(struct closed_set *set, uint32_t event);
/* Adds all events that are missing for the set to be closed. */
void closed_set_close(struct closed_set *set);
void closed_set_free(struct closed_set *set);

static inline bool closed_set_has(const struct closed_set *set, uint32_t event)
{
	const struct trace *t = set->sections->trace;

	return t->thread_index[event] < set->length[t->events[event].thread];
}

#endif
