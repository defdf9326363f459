#include "predict/witness.h"

#include <stdlib.h>
#include <string.h>

#include "predict/arrays.h"
#include "format/file.h"

struct placed {
	int64_t place;
	uint32_t event;
};

static int by_place(const void *a, const void *b)
{
	const struct placed *x = a, *y = b;

	if (x->place != y->place)
		return x->place < y->place ? -1 : 1;
	return (x->event > y->event) - (x->event < y->event);
}

/*
 * An event between two nodes of a thread goes with the first; events before its first node come first of all. A thread
 * stops at its last node before the meeting; the two threads that meet stop at their accesses.
 */
uint32_t *witness_order(const struct window *w, const uint32_t event[2], const int64_t *places, int64_t meeting,
                        size_t *count)
{
	const struct trace *t = w->trace;
	struct placed *list = must_alloc((w->end - w->start + 1) * sizeof *list);
	uint32_t *end = must_alloc((w->thread_count + 1) * sizeof *end);
	int64_t *now = must_alloc((w->thread_count + 1) * sizeof *now);
	uint32_t *order;

	*count = 0;
	for (uint32_t i = 0; i < w->thread_count; i++) {
		end[i] = 0;
		now[i] = INT64_MIN;
	}
	for (uint32_t p = 0; p < w->node_count; p++)
		if (places[p] < meeting)
			end[w->thread_of[node_event(w, p)->thread]] = w->nodes[p].event + 1;
	for (int i = 0; i < 2; i++)
		end[w->thread_of[t->events[event[i]].thread]] = event[i];
	for (uint32_t i = w->start; i < w->end; i++) {
		uint32_t thread = w->thread_of[t->events[i].thread];
		if (i >= end[thread])
			continue;
		if (w->node_of[i - w->start] != NONE)
			now[thread] = places[w->node_of[i - w->start]];
		list[(*count)++] = (struct placed){.place = now[thread], .event = i};
	}
	qsort(list, *count, sizeof *list, by_place);
	order = must_alloc((*count + 1) * sizeof *order);
	for (size_t i = 0; i < *count; i++)
		order[i] = list[i].event;
	free(list);
	free(end);
	free(now);
	return order;
}

/* A hold of a lock. */
struct holder {
	uint32_t lock, thread;
	bool shared;
};

struct replay {
	const struct trace *t;
	bool *done;         /* by event */
	uint32_t *position; /* by thread: how many of its events are done */
	/* By thread: an unconfined read saw another value than in the trace. */
	bool *unconfined_differs;
	bool *read_differs;   /* by thread: any read did */
	bool *notified;       /* by thread: its current wait was notified */
	uint32_t *last_write; /* by variable */
	bool *changed;        /* by variable: its last write wrote another value than in the trace */
	int64_t *tokens;      /* by semaphore */
	struct holder *held;
	size_t held_count, held_capacity;
	struct error *e;
};

static bool rule_broken(struct replay *r, uint32_t event, const char *why)
{
	const struct trace_event *n = &r->t->events[event];

	return error_set(r->e, "event %u (%s of %s at %s) %s", event + 1, ops[n->op].name,
	                 interned(&r->t->names[OBJECT_THREAD], n->thread), interned(&r->t->locations, n->location),
	                 why);
}

/* Whether the thread of the event may do it next. */
static bool may_be_next(struct replay *r, uint32_t event)
{
	const struct trace_event *n = &r->t->events[event];
	size_t count;

	if (r->t->thread_index[event] != r->position[n->thread])
		return rule_broken(r, event, "is not next in its thread");
	if (event_follows_branch(r->t, event) && r->unconfined_differs[n->thread])
		return rule_broken(r, event, "follows a branch, but its thread has read another value");
	if (n->op == OP_PIN && r->read_differs[n->thread])
		return rule_broken(r, event, "is a pin, but its thread has read another value");
	if (join_follows_branch(r->t, event) && r->unconfined_differs[n->object])
		return rule_broken(r, event, "joins a thread that has read another value");
	const struct edge *edges = trace_edges(r->t, event, &count);
	for (size_t i = 0; i < count; i++)
		if (!r->done[edges[i].before])
			return rule_broken(r, event, "comes before an event that it must follow");
	return true;
}

static bool sees_same(const struct replay *r, uint32_t event)
{
	const struct trace_event *n = &r->t->events[event];

	return !r->changed[n->object] && read_agrees(r->t, event, r->last_write[n->object]);
}

static bool run_access(struct replay *r, uint32_t event)
{
	const struct trace_event *n = &r->t->events[event];

	if (event_is(n, IS_READ) && !sees_same(r, event)) {
		if (n->flags & EVENT_PINNED)
			return rule_broken(r, event, "sees another value, and would then be another event");
		r->read_differs[n->thread] = true;
		r->unconfined_differs[n->thread] |= !(n->flags & EVENT_CONFINED);
	}
	if (event_is(n, IS_WRITE)) {
		r->last_write[n->object] = event;
		r->changed[n->object] =
		        r->unconfined_differs[n->thread] || (n->flags & EVENT_FED && r->read_differs[n->thread]);
	}
	return true;
}

static bool run_acquire(struct replay *r, uint32_t event)
{
	const struct trace_event *n = &r->t->events[event];

	for (size_t i = 0; i < r->held_count; i++)
		if (r->held[i].lock == n->object && !(r->held[i].shared && event_is(n, IS_SHARED)))
			return rule_broken(r, event, "acquires a lock that is held");
	if (r->held_count == r->held_capacity) {
		r->held_capacity = r->held_capacity * 2 + 16;
		r->held = must_resize(r->held, r->held_capacity * sizeof *r->held);
	}
	r->held[r->held_count++] =
	        (struct holder){.lock = n->object, .thread = n->thread, .shared = event_is(n, IS_SHARED)};
	return true;
}

static bool run_release(struct replay *r, uint32_t event)
{
	const struct trace_event *n = &r->t->events[event];

	for (size_t i = 0; i < r->held_count; i++)
		if (r->held[i].lock == n->object && r->held[i].thread == n->thread) {
			r->held[i] = r->held[--r->held_count];
			return true;
		}
	return rule_broken(r, event, "releases a lock that it does not hold");
}

/* The threads that wait for this notification are notified. */
static void run_notify(struct replay *r, uint32_t event)
{
	const struct trace *t = r->t;

	for (uint32_t i = 0; i < t->objects[OBJECT_THREAD]; i++) {
		if (!r->position[i] || r->position[i] == trace_thread_length(t, i))
			continue;
		const struct trace_event *next = &t->events[trace_thread_event(t, i, r->position[i])];
		if (next->op == OP_WAKE && next->notify == event)
			r->notified[i] = true;
	}
}

static bool run_event(struct replay *r, uint32_t event)
{
	const struct trace_event *n = &r->t->events[event];

	if (!may_be_next(r, event))
		return false;
	if (event_is_access(n) && !run_access(r, event))
		return false;
	if (n->op == OP_WAKE && n->notify != NO_EVENT && !r->notified[n->thread])
		return rule_broken(r, event, "was not notified");
	if (!(n->flags & EVENT_NESTED) && event_is(n, IS_ACQUIRE) && !run_acquire(r, event))
		return false;
	if (!(n->flags & EVENT_NESTED) && event_is(n, IS_RELEASE) && !run_release(r, event))
		return false;
	if (n->op == OP_TAKE && r->tokens[n->object]-- <= 0)
		return rule_broken(r, event, "takes a token that is not there");
	if (n->op == OP_POST)
		r->tokens[n->object]++;
	if (n->op == OP_WAIT)
		r->notified[n->thread] = false;
	r->done[event] = true;
	r->position[n->thread]++;
	if (n->op == OP_NOTIFY || n->op == OP_NOTIFY_ALL)
		run_notify(r, event);
	return true;
}

static void replay_start(struct replay *r, const struct trace *t, struct error *e)
{
	uint32_t threads = t->objects[OBJECT_THREAD], variables = t->objects[OBJECT_VARIABLE];

	*r = (struct replay){.t = t,
	                     .e = e,
	                     .done = array_zeroed(t->count, sizeof(bool)),
	                     .position = array_zeroed(threads, sizeof(uint32_t)),
	                     .unconfined_differs = array_zeroed(threads, sizeof(bool)),
	                     .read_differs = array_zeroed(threads, sizeof(bool)),
	                     .notified = array_zeroed(threads, sizeof(bool)),
	                     .last_write = array_zeroed(variables, sizeof(uint32_t)),
	                     .changed = array_zeroed(variables, sizeof(bool)),
	                     .tokens = array_zeroed(t->objects[OBJECT_SEMAPHORE], sizeof(int64_t))};
	memset(r->last_write, 0xff, variables * sizeof *r->last_write);
	for (uint32_t i = 0; i < t->objects[OBJECT_SEMAPHORE]; i++)
		r->tokens[i] = t->sem_initial[i];
}

static void replay_end(struct replay *r)
{
	free(r->done);
	free(r->position);
	free(r->unconfined_differs);
	free(r->read_differs);
	free(r->notified);
	free(r->last_write);
	free(r->changed);
	free(r->tokens);
	free(r->held);
}

bool witness_check(const struct trace *t, uint32_t start, const uint32_t *order, size_t count, const uint32_t event[2],
                   struct error *e)
{
	struct replay r;
	bool ok = true;

	replay_start(&r, t, e);
	for (uint32_t i = 0; ok && i < start; i++)
		ok = run_event(&r, i);
	for (size_t i = 0; ok && i < count; i++)
		ok = run_event(&r, order[i]);
	ok = ok && may_be_next(&r, event[0]) && may_be_next(&r, event[1]);
	if (ok && !events_conflict(&t->events[event[0]], &t->events[event[1]]))
		ok = rule_broken(&r, event[0], "does not conflict with the other access");
	replay_end(&r);
	return ok;
}
