#include "predict/linear_witness.h"

#include <stdlib.h>
#include <string.h>

#include "format/file.h"

/* ---- the shortest ---- */

void witness_shortest(const struct sections *s, struct pair *p)
{
	const struct trace *t = s->trace;
	struct closed_set needed;

	if (p->witness)
		return;
	closed_set_start(&needed, s);
	closed_set_add_before(&needed, p->event[0]);
	closed_set_add_before(&needed, p->event[1]);
	closed_set_close(&needed);
	size_t count = 0;
	for (uint32_t k = 0; k < t->objects[OBJECT_THREAD]; k++)
		count += needed.length[k];
	p->witness = must_alloc((count + 1) * sizeof *p->witness);
	for (uint32_t k = 0; p->witness_count < count; k++)
		if (closed_set_has(&needed, k))
			p->witness[p->witness_count++] = k;
	closed_set_free(&needed);
}

/* ---- the longest ---- */

/* How the threads that have stopped hold a lock. */
enum { HELD_SHARED = 1, HELD_ALONE = 2 };

struct longest {
	const struct sections *sections;
	const struct trace *t;
	uint32_t *stop; /* by thread: its first event that is left out; NO_EVENT: none is */
	uint8_t *held;  /* by lock: HELD_… by a thread that has stopped */
};

static bool is_left_out(const struct longest *l, uint32_t event)
{
	return event != NO_EVENT && l->stop[l->t->events[event].thread] <= event;
}

static void stop_before(struct longest *l, uint32_t event)
{
	const struct trace *t = l->t;
	uint32_t thread = t->events[event].thread, count;
	const uint32_t *held = sections_held_after(l->sections, thread, t->thread_index[event], &count);

	l->stop[thread] = event;
	for (uint32_t i = 0; i < count; i++)
		l->held[t->events[held[i]].object] |=
		        event_is(&t->events[held[i]], IS_SHARED) ? HELD_SHARED : HELD_ALONE;
}

static bool is_locked_out(const struct longest *l, const struct trace_event *e)
{
	if (!event_is(e, IS_ACQUIRE) || e->flags & EVENT_NESTED)
		return false;
	return event_is(e, IS_SHARED) ? l->held[e->object] & HELD_ALONE : l->held[e->object];
}

/* Whether the event needs one that is left out. */
static bool cannot_happen(const struct longest *l, uint32_t event)
{
	const struct trace_event *e = &l->t->events[event];
	size_t count;
	const struct edge *edges = trace_edges(l->t, event, &count);

	for (size_t i = 0; i < count; i++)
		if (is_left_out(l, edges[i].before))
			return true;
	if ((event_is(e, IS_READ) || e->op == OP_TAKE) && is_left_out(l, e->match))
		return true;
	return is_locked_out(l, e);
}

bool witness_longest(const struct sections *s, struct pair *p)
{
	const struct trace *t = s->trace;
	uint32_t first = p->event[0], second = p->event[1], threads = t->objects[OBJECT_THREAD];
	struct longest l = {.sections = s, .t = t};
	size_t n = 0;

	l.stop = must_alloc((threads + 1ul) * sizeof *l.stop);
	memset(l.stop, 0xff, (threads + 1ul) * sizeof *l.stop);
	l.held = must_alloc(t->objects[OBJECT_LOCK] + 1ul);
	memset(l.held, 0, t->objects[OBJECT_LOCK] + 1ul);
	uint32_t *witness = must_alloc((second - first + 1ul) * sizeof *witness);
	stop_before(&l, first);
	for (uint32_t i = first + 1; i < second; i++) {
		if (l.stop[t->events[i].thread] != NO_EVENT)
			continue;
		if (cannot_happen(&l, i))
			stop_before(&l, i);
		else
			witness[n++] = i;
	}
	bool ok = l.stop[t->events[second].thread] == NO_EVENT;
	free(l.stop);
	free(l.held);
	if (!ok) {
		free(witness);
		return false;
	}
	p->witness = witness;
	p->witness_count = n;
	p->witness_start = first;
	return true;
}
