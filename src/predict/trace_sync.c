#include "predict/trace_builder.h"

#include <stdlib.h>
#include <string.h>

#include "format/file.h"

/* ---- locks ---- */

static struct lock_state *lock_of(struct trace *t, uint32_t id)
{
	return trace_state_of(&t->builder->locks, id, sizeof(struct lock_state), 0);
}

static struct hold *find_hold(struct lock_state *l, uint32_t thread)
{
	for (uint32_t i = 0; i < l->count; i++)
		if (l->holds[i].thread == thread)
			return &l->holds[i];
	return NULL;
}

static void take_lock(struct trace *t, struct lock_state *l, const struct trace_event *n, uint32_t depth)
{
	if (l->count == l->capacity) {
		l->capacity = l->capacity ? l->capacity * 2 : 1;
		l->holds = must_resize(l->holds, l->capacity * sizeof *l->holds);
	}
	l->holds[l->count++] = (struct hold){
	        .acquire = t->count, .depth = depth, .thread = n->thread, .shared = event_is(n, IS_SHARED)};
}

static bool add_acquire(struct trace *t, struct trace_event *n, struct error *e)
{
	struct lock_state *l = lock_of(t, n->object);
	struct hold *mine = find_hold(l, n->thread);
	bool shared = event_is(n, IS_SHARED);
	const char *thread = trace_name_of(t, OBJECT_THREAD, n->thread),
	           *lock = trace_name_of(t, OBJECT_LOCK, n->object);

	if (mine && mine->shared != shared)
		return error_set(e, "%s acquires %s for %s, and holds it for %s", thread, lock,
		                 shared ? "reading" : "writing", shared ? "writing" : "reading");
	if (mine) {
		if (mine->depth == UINT32_MAX)
			return error_set(e, "%s holds %s too often", thread, lock);
		mine->depth++;
		n->flags |= EVENT_NESTED;
		return true;
	}
	if (l->count && !(shared && l->holds[0].shared))
		return error_set(e, "%s acquires %s, which %s holds", thread, lock,
		                 trace_name_of(t, OBJECT_THREAD, l->holds[0].thread));
	take_lock(t, l, n, 1);
	return true;
}

/* Ends the hold, whatever its depth. */
static void drop_lock(struct trace *t, struct lock_state *l, struct hold *mine, struct trace_event *n)
{
	n->match = mine->acquire;
	t->events[mine->acquire].match = t->count;
	*mine = l->holds[--l->count];
}

static bool add_release(struct trace *t, struct trace_event *n, struct error *e)
{
	struct lock_state *l = lock_of(t, n->object);
	struct hold *mine = find_hold(l, n->thread);

	if (!mine || mine->shared != event_is(n, IS_SHARED))
		return error_set(e, "%s releases %s, which it does not hold%s",
		                 trace_name_of(t, OBJECT_THREAD, n->thread), trace_name_of(t, OBJECT_LOCK, n->object),
		                 !mine          ? ""
		                 : mine->shared ? " for writing"
		                                : " for reading");
	if (--mine->depth) {
		n->flags |= EVENT_NESTED;
		return true;
	}
	drop_lock(t, l, mine, n);
	return true;
}

/* ---- conditions ---- */

static struct condition_state *condition_of(struct trace *t, uint32_t id)
{
	return trace_state_of(&t->builder->conditions, id, sizeof(struct condition_state), 0);
}

static bool add_wait(struct trace *t, struct trace_event *n, struct error *e)
{
	struct lock_state *l = lock_of(t, n->object);
	struct hold *mine = find_hold(l, n->thread);
	struct thread_state *me = trace_thread_of(t, n->thread);

	if (!mine || mine->shared)
		return error_set(e, "%s waits with %s, which it does not hold",
		                 trace_name_of(t, OBJECT_THREAD, n->thread), trace_name_of(t, OBJECT_LOCK, n->object));
	me->next_op = OP_WAKE;
	me->object = n->object;
	me->condition = n->condition;
	me->depth = mine->depth;
	me->event = t->count;
	condition_of(t, n->condition)->waiting++;
	drop_lock(t, l, mine, n);
	return true;
}

/*
 * The first notification after the wait that woke no other thread; NO_EVENT: there is none, the thread woke by itself.
 */
static uint32_t find_notify(struct condition_state *c, uint32_t wait)
{
	struct number_list *s = &c->signals, *b = &c->broadcasts;

	for (size_t i = 0; i < s->count; i++) {
		uint32_t found = s->at[i];
		if (found < wait)
			continue;
		memmove(s->at + i, s->at + i + 1, (s->count - i - 1) * sizeof *s->at);
		s->count--;
		return found;
	}
	for (size_t i = 0; i < b->count; i++)
		if (b->at[i] > wait)
			return b->at[i];
	return NO_EVENT;
}

static bool add_wake(struct trace *t, struct trace_event *n, struct error *e)
{
	struct thread_state *me = trace_thread_of(t, n->thread);
	struct lock_state *l = lock_of(t, n->object);
	struct condition_state *c = condition_of(t, n->condition);

	if (me->next_op != OP_WAKE || me->object != n->object || me->condition != n->condition)
		return error_set(e, "%s wakes from a wait that it has not begun",
		                 trace_name_of(t, OBJECT_THREAD, n->thread));
	if (l->count)
		return error_set(e, "%s wakes with %s, which %s holds", trace_name_of(t, OBJECT_THREAD, n->thread),
		                 trace_name_of(t, OBJECT_LOCK, n->object),
		                 trace_name_of(t, OBJECT_THREAD, l->holds[0].thread));
	n->notify = find_notify(c, me->event);
	take_lock(t, l, n, me->depth);
	if (!--c->waiting)
		c->signals.count = c->broadcasts.count = 0;
	me->next_op = OP_BEGIN;
	return n->notify == NO_EVENT || trace_add_edge(t, n->notify, e);
}

static void add_notify(struct trace *t, const struct trace_event *n)
{
	struct condition_state *c = condition_of(t, n->object);

	if (c->waiting)
		trace_list_add(n->op == OP_NOTIFY ? &c->signals : &c->broadcasts, t->count);
}

/* ---- threads ---- */

static bool is_waiting(const struct trace *t, const struct trace_event *n, const struct thread_state *child,
                       struct error *e)
{
	return child->next_op != OP_BEGIN &&
	       !error_set(e, "%s %ss %s, which waits", trace_name_of(t, OBJECT_THREAD, n->thread), ops[n->op].name,
	                  trace_name_of(t, OBJECT_THREAD, n->object));
}

/*
 * A log may give one name to several threads. They count as one thread, in the order of the trace: a repeated fork
 * comes after all that is known of the thread before.
 */
static bool add_fork(struct trace *t, const struct trace_event *n, struct error *e)
{
	struct thread_state *child = trace_thread_of(t, n->object);
	uint32_t fork = child->fork;
	bool again = fork != NO_EVENT;

	if (n->object == n->thread || (!again && (child->joined || child->first != NO_EVENT)))
		return error_set(e, "%s forks %s, which was there before", trace_name_of(t, OBJECT_THREAD, n->thread),
		                 trace_name_of(t, OBJECT_THREAD, n->object));
	if (is_waiting(t, n, child, e))
		return false;
	if (again && !t->repeated_forks++)
		t->repeated_fork = t->count;
	child->fork = t->count;
	child->forked = true;
	child->joined = child->ended = false;
	return !again || (trace_add_edge_from(t, n, fork, e) && trace_add_edge_from(t, n, child->last, e) &&
	                  trace_add_edge_from(t, n, child->join, e));
}

static bool add_join(struct trace *t, struct trace_event *n, struct error *e)
{
	struct thread_state *child = trace_thread_of(t, n->object);

	if (n->object == n->thread)
		return error_set(e, "%s joins itself", trace_name_of(t, OBJECT_THREAD, n->thread));
	if (is_waiting(t, n, child, e))
		return false;
	child->joined = true;
	child->join = t->count;
	n->match = child->last;
	return trace_add_edge_from(t, n, child->last, e) &&
	       (!child->forked || trace_add_edge_from(t, n, child->fork, e));
}

/* ---- barriers, once ---- */

static struct barrier_state *barrier_of(struct trace *t, uint32_t id)
{
	return trace_state_of(&t->builder->barriers, id, sizeof(struct barrier_state), 0);
}

static void round_bounds(const struct barrier_state *b, size_t round, size_t *from, size_t *to)
{
	*from = b->rounds.at[round];
	*to = round + 1 < b->rounds.count ? b->rounds.at[round + 1] : b->arrivals.count;
}

/* A thread that was not in the round before arrives after all who were: it must not slip into that round. */
static bool order_round(struct trace *t, const struct barrier_state *b, size_t round, uint32_t thread, struct error *e)
{
	size_t from, to;

	round_bounds(b, round, &from, &to);
	for (size_t i = from; i < to; i++)
		if (t->events[b->arrivals.at[i]].thread == thread)
			return true;
	for (size_t i = from; i < to; i++)
		if (!trace_add_edge(t, b->arrivals.at[i], e))
			return false;
	return true;
}

static bool add_arrive(struct trace *t, const struct trace_event *n, struct error *e)
{
	struct barrier_state *b = barrier_of(t, n->object);
	struct thread_state *me = trace_thread_of(t, n->thread);

	if (!b->open)
		trace_list_add(&b->rounds, (uint32_t)b->arrivals.count);
	b->open = true;
	me->next_op = OP_LEAVE;
	me->object = n->object;
	me->round = (uint32_t)b->rounds.count - 1;
	me->event = t->count;
	if (me->round && !order_round(t, b, me->round - 1, n->thread, e))
		return false;
	trace_list_add(&b->arrivals, t->count);
	return true;
}

static bool add_leave(struct trace *t, struct trace_event *n, struct error *e)
{
	struct barrier_state *b = barrier_of(t, n->object);
	struct thread_state *me = trace_thread_of(t, n->thread);
	size_t from, to;

	if (me->next_op != OP_LEAVE || me->object != n->object)
		return error_set(e, "%s leaves %s, where it has not arrived",
		                 trace_name_of(t, OBJECT_THREAD, n->thread),
		                 trace_name_of(t, OBJECT_BARRIER, n->object));
	if (me->round + 1 == b->rounds.count)
		b->open = false;
	me->next_op = OP_BEGIN;
	n->match = me->event;
	round_bounds(b, me->round, &from, &to);
	for (size_t i = from; i < to; i++)
		if (t->events[b->arrivals.at[i]].thread != n->thread && !trace_add_edge(t, b->arrivals.at[i], e))
			return false;
	return true;
}

static bool add_once(struct trace *t, struct trace_event *n, struct error *e)
{
	uint32_t *first = trace_state_of(&t->builder->onces, n->object, sizeof *first, 0xff);

	n->match = *first;
	if (*first == NO_EVENT) {
		*first = t->count;
		return true;
	}
	return t->events[*first].thread == n->thread || trace_add_edge(t, *first, e);
}

bool trace_add_sync(struct trace *t, struct trace_event *n, struct error *e)
{
	switch ((enum op)n->op) {
	case OP_ACQUIRE:
	case OP_READ_ACQUIRE:
		return add_acquire(t, n, e);
	case OP_RELEASE:
	case OP_READ_RELEASE:
		return add_release(t, n, e);
	case OP_WAIT:
		return add_wait(t, n, e);
	case OP_WAKE:
		return add_wake(t, n, e);
	case OP_NOTIFY:
	case OP_NOTIFY_ALL:
		add_notify(t, n);
		return true;
	case OP_FORK:
		return add_fork(t, n, e);
	case OP_JOIN:
		return add_join(t, n, e);
	case OP_ARRIVE:
		return add_arrive(t, n, e);
	case OP_LEAVE:
		return add_leave(t, n, e);
	case OP_ONCE:
		return add_once(t, n, e);
	default:
		return error_set(e, "there is no operation %u", n->op);
	}
}
