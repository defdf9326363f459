/*
 * The witness of a race that one of the linear tiers has found: all goes on as in the trace, but for the earlier of the
 * two accesses, which its thread does not make, and for what cannot be without it.  So an execution leaves the recorded
 * one as late as can be.
 */
#include <stdlib.h>
#include <string.h>

#include "predict/closed_set.h"
#include "predict/tiers.h"
#include "format/file.h"

enum { OPEN_SHARED = 1, OPEN_ALONE = 2 };

struct late {
	const struct sections *sections;
	const struct trace *t;
	uint32_t *stop; /* by thread: the first event that it does not make, or NO_EVENT */
	uint8_t *open;  /* by lock: somebody has stopped who holds it, and how */
};

static bool is_out(const struct late *l, uint32_t event)
{
	return event != NO_EVENT && l->stop[l->t->events[event].thread] <= event;
}

static void stop_at(struct late *l, uint32_t event)
{
	const struct trace *t = l->t;
	uint32_t thread = t->events[event].thread, count;
	const uint32_t *held = sections_open(l->sections, thread, t->local[event], &count);

	l->stop[thread] = event;
	for (uint32_t i = 0; i < count; i++)
		l->open[t->events[held[i]].object] |=
		        event_is(&t->events[held[i]], IS_SHARED) ? OPEN_SHARED : OPEN_ALONE;
}

static bool is_locked_out(const struct late *l, const struct trace_event *e)
{
	if (!event_is(e, IS_ACQUIRE) || e->flags & EVENT_NESTED)
		return false;
	return event_is(e, IS_SHARED) ? l->open[e->object] & OPEN_ALONE : l->open[e->object];
}

/* It needs something that does not happen. */
static bool cannot_be(const struct late *l, uint32_t event)
{
	const struct trace_event *e = &l->t->events[event];
	size_t count;
	const struct edge *edges = trace_edges(l->t, event, &count);

	for (size_t i = 0; i < count; i++)
		if (is_out(l, edges[i].before))
			return true;
	if ((event_is(e, IS_READ) || e->op == OP_TAKE) && is_out(l, e->match))
		return true;
	return is_locked_out(l, e);
}

bool witness_longest(const struct sections *s, struct pair *p)
{
	const struct trace *t = s->trace;
	uint32_t first = p->event[0], second = p->event[1], threads = t->objects[OBJECT_THREAD];
	struct late l = {.sections = s, .t = t};
	size_t n = 0;

	l.stop = must_alloc((threads + 1ul) * sizeof *l.stop);
	memset(l.stop, 0xff, (threads + 1ul) * sizeof *l.stop);
	l.open = must_alloc(t->objects[OBJECT_LOCK] + 1ul);
	memset(l.open, 0, t->objects[OBJECT_LOCK] + 1ul);
	uint32_t *witness = must_alloc((second - first + 1ul) * sizeof *witness);
	stop_at(&l, first);
	for (uint32_t i = first + 1; i < second; i++) {
		if (l.stop[t->events[i].thread] != NO_EVENT)
			continue;
		if (cannot_be(&l, i))
			stop_at(&l, i);
		else
			witness[n++] = i;
	}
	bool ok = l.stop[t->events[second].thread] == NO_EVENT;
	free(l.stop);
	free(l.open);
	if (!ok) {
		free(witness);
		return false;
	}
	p->witness = witness;
	p->witness_count = n;
	p->witness_start = first;
	return true;
}
