#include "predict/trace.h"

#include <stdlib.h>
#include <string.h>

#include "predict/trace_builder.h"
#include "format/file.h"

#define EDGES_MOST (1ul << 28)

void trace_list_add(struct number_list *l, uint32_t value)
{
	if (l->count == l->capacity) {
		l->capacity = l->capacity ? l->capacity * 2 : 4;
		l->at = must_resize(l->at, l->capacity * sizeof *l->at);
	}
	l->at[l->count++] = value;
}

void *trace_state_of(struct state_table *t, uint32_t id, size_t size, int fill)
{
	if (id >= t->count) {
		size_t count = id + 16 + id / 2;
		t->at = must_resize(t->at, count * size);
		memset(t->at + t->count * size, fill, (count - t->count) * size);
		t->count = count;
	}
	return t->at + id * size;
}

struct thread_state *trace_thread_of(struct trace *t, uint32_t id)
{
	return trace_state_of(&t->builder->threads, id, sizeof(struct thread_state), 0);
}

const char *trace_name_of(const struct trace *t, enum object_kind kind, uint32_t id)
{
	return interned(&t->names[kind], id);
}

void trace_start(struct trace *t)
{
	*t = (struct trace){.builder = must_alloc(sizeof *t->builder)};
	*t->builder = (struct trace_builder){0};
	intern(&t->values, "", 0); /* VALUE_UNKNOWN */
}

uint32_t trace_object(struct trace *t, enum object_kind kind, const char *name, size_t size)
{
	return intern(&t->names[kind], name, size);
}

uint32_t trace_location(struct trace *t, const char *name, size_t size) { return intern(&t->locations, name, size); }
uint32_t trace_value(struct trace *t, const char *text, size_t size) { return intern(&t->values, text, size); }

bool trace_add_edge(struct trace *t, uint32_t before, struct error *e)
{
	struct trace_builder *b = t->builder;

	if (t->edge_count == EDGES_MOST)
		return error_set(e, "more than %lu orders between threads", EDGES_MOST);
	if (t->edge_count == b->edge_capacity) {
		b->edge_capacity = b->edge_capacity ? b->edge_capacity * 2 : 64;
		t->edges = must_resize(t->edges, b->edge_capacity * sizeof *t->edges);
	}
	t->edges[t->edge_count++] = (struct edge){.event = t->count, .before = before};
	t->events[t->count].flags |= EVENT_EDGES;
	return true;
}

bool trace_add_edge_from(struct trace *t, const struct trace_event *n, uint32_t before, struct error *e)
{
	return before == NO_EVENT || t->events[before].thread == n->thread || trace_add_edge(t, before, e);
}

/* ---- accesses ---- */

static bool add_read(struct trace *t, struct trace_event *n, const struct variable_state *v, struct error *e)
{
	uint32_t was;

	n->match = v->writer;
	if (v->writer == NO_EVENT) {
		uint32_t *initial = &t->value_initial[n->object];
		if (*initial == VALUE_UNKNOWN)
			*initial = n->value;
		was = *initial;
	} else {
		const struct trace_event *w = &t->events[v->writer];
		was = w->op == OP_RMW ? w->written : w->value;
	}
	if (was == VALUE_UNKNOWN || n->value == VALUE_UNKNOWN || was == n->value)
		return true;
	return error_set(e, "%s reads %s from %s, which is %s", trace_name_of(t, OBJECT_THREAD, n->thread),
	                 interned(&t->values, n->value), trace_name_of(t, OBJECT_VARIABLE, n->object),
	                 interned(&t->values, was));
}

static struct variable_state *variable_of(struct trace *t, uint32_t id)
{
	struct state_table *table = &t->builder->variables;
	size_t had = table->count;
	struct variable_state *v = trace_state_of(table, id, sizeof *v, 0xff);

	if (table->count != had) {
		t->value_initial = must_resize(t->value_initial, table->count * sizeof *t->value_initial);
		memset(t->value_initial + had, 0, (table->count - had) * sizeof *t->value_initial);
	}
	return v;
}

void trace_set_initial(struct trace *t, uint32_t variable, uint32_t value)
{
	variable_of(t, variable);
	t->value_initial[variable] = value;
}

static bool add_access(struct trace *t, struct trace_event *n, struct error *e)
{
	struct variable_state *v = variable_of(t, n->object);

	if (event_is(n, IS_READ) && !add_read(t, n, v, e))
		return false;
	if (event_is(n, IS_WRITE))
		v->writer = t->count;
	return true;
}

/* ---- events ---- */

static bool add_op(struct trace *t, struct trace_event *n, struct error *e)
{
	switch ((enum op)n->op) {
	case OP_READ:
	case OP_WRITE:
	case OP_ATOMIC_READ:
	case OP_ATOMIC_WRITE:
	case OP_RMW:
		return add_access(t, n, e);
	case OP_BEGIN:
	case OP_END:
	case OP_POST:
	case OP_TAKE:
		return true;
	case OP_BRANCH:
	case OP_PIN:
		t->branches = true;
		return true;
	default:
		return trace_add_sync(t, n, e);
	}
}

/* Whether its thread may do this event now. */
static bool check_thread(struct trace *t, const struct trace_event *n, struct error *e)
{
	struct thread_state *me = trace_thread_of(t, n->thread);
	const char *name = trace_name_of(t, OBJECT_THREAD, n->thread);

	if (me->joined)
		return error_set(e, "%s does something after it was joined", name);
	if (me->ended)
		return error_set(e, "%s does something after its end", name);
	if (n->op == OP_BEGIN && me->first != NO_EVENT && !me->forked)
		return error_set(e, "%s begins, and has done something before", name);
	if (me->next_op != OP_BEGIN && n->op != me->next_op)
		return error_set(e, "%s does something while it waits", name);
	return true;
}

static void count_object(struct trace *t, enum object_kind kind, uint32_t id)
{
	if (kind < OBJECT_KINDS && id >= t->objects[kind])
		t->objects[kind] = id + 1;
}

static void make_room(struct trace *t)
{
	struct trace_builder *b = t->builder;

	if (t->count < b->capacity)
		return;
	b->capacity = b->capacity ? b->capacity + b->capacity / 2 : 1024;
	t->events = must_resize(t->events, b->capacity * sizeof *t->events);
}

static void meet_thread(struct trace *t, uint32_t id)
{
	while (t->objects[OBJECT_THREAD] <= id) {
		struct thread_state *s = trace_thread_of(t, t->objects[OBJECT_THREAD]++);
		s->first = s->last = s->fork = s->join = NO_EVENT;
		s->next_op = OP_BEGIN;
	}
}

bool trace_add(struct trace *t, const struct trace_event *event, struct error *e)
{
	if (t->count == EVENTS_MOST)
		return error_set(e, "more than %u events", EVENTS_MOST);
	make_room(t);
	struct trace_event *n = &t->events[t->count];
	*n = *event;
	n->match = NO_EVENT;
	n->flags &= EVENT_DEPENDS | EVENT_PINNED | EVENT_CONFINED | EVENT_FED;
	meet_thread(t, n->thread);
	if (ops[n->op].kind == OBJECT_THREAD)
		meet_thread(t, n->object);
	count_object(t, ops[n->op].kind, n->object);
	if (n->flags & (EVENT_DEPENDS | EVENT_CONFINED | EVENT_FED))
		t->branches = true;
	if (!check_thread(t, n, e))
		return false;
	struct thread_state *me = trace_thread_of(t, n->thread);
	if (me->first == NO_EVENT)
		me->first = t->count;
	if (me->forked) {
		t->events[me->fork].match = t->count;
		if (!trace_add_edge_from(t, n, me->fork, e))
			return false;
	}
	me->forked = false;
	me->last = t->count;
	me->ended = n->op == OP_END;
	if (!add_op(t, n, e))
		return false;
	t->count++;
	return true;
}

/* ---- the end ---- */

/* Makes room for the initial tokens of so many semaphores. */
static void grow_semaphores(struct trace *t, uint32_t count)
{
	uint32_t *had = &t->builder->semaphores;

	if (count <= *had)
		return;
	t->sem_initial = must_resize(t->sem_initial, count * sizeof *t->sem_initial);
	memset(t->sem_initial + *had, 0, (count - *had) * sizeof *t->sem_initial);
	*had = count;
}

void trace_set_tokens(struct trace *t, uint32_t semaphore, uint32_t count)
{
	grow_semaphores(t, semaphore + 1);
	t->sem_initial[semaphore] = count;
}

/* Computes the tokens that each semaphore had at the start, and which TAKE takes what which POST gave. */
static void match_semaphores(struct trace *t)
{
	uint32_t count = t->objects[OBJECT_SEMAPHORE];
	int64_t *value = must_alloc((count + 1ul) * sizeof *value);
	struct number_list *posts = must_alloc((count + 1ul) * sizeof *posts);

	grow_semaphores(t, count + 1);
	memset(value, 0, (count + 1ul) * sizeof *value);
	memset(posts, 0, (count + 1ul) * sizeof *posts);
	for (uint32_t i = 0; count && i < t->count; i++) {
		const struct trace_event *n = &t->events[i];
		if (n->op == OP_POST)
			value[n->object]++;
		else if (n->op == OP_TAKE && --value[n->object] < -(int64_t)t->sem_initial[n->object])
			t->sem_initial[n->object]++;
	}
	memset(value, 0, (count + 1ul) * sizeof *value);
	for (uint32_t i = 0; count && i < t->count; i++) {
		struct trace_event *n = &t->events[i];
		if (n->op == OP_POST)
			trace_list_add(&posts[n->object], i);
		else if (n->op == OP_TAKE && value[n->object]++ >= t->sem_initial[n->object])
			n->match = posts[n->object].at[value[n->object] - 1 - t->sem_initial[n->object]];
	}
	for (uint32_t i = 0; i < count; i++)
		free(posts[i].at);
	free(posts);
	free(value);
}

static void sort_by_thread(struct trace *t)
{
	uint32_t threads = t->objects[OBJECT_THREAD];

	t->thread_index = must_alloc((t->count + 1ul) * sizeof *t->thread_index);
	t->thread_events = must_alloc((t->count + 1ul) * sizeof *t->thread_events);
	t->thread_start = must_alloc((threads + 1ul) * sizeof *t->thread_start);
	memset(t->thread_start, 0, (threads + 1ul) * sizeof *t->thread_start);
	for (uint32_t i = 0; i < t->count; i++)
		t->thread_index[i] = t->thread_start[t->events[i].thread + 1]++;
	for (uint32_t i = 0; i < threads; i++)
		t->thread_start[i + 1] += t->thread_start[i];
	for (uint32_t i = 0; i < t->count; i++)
		t->thread_events[t->thread_start[t->events[i].thread] + t->thread_index[i]] = i;
}

void trace_builder_free(struct trace *t)
{
	struct trace_builder *b = t->builder;

	if (!b)
		return;
	for (size_t i = 0; i < b->locks.count; i++)
		free(((struct lock_state *)b->locks.at)[i].holds);
	for (size_t i = 0; i < b->conditions.count; i++) {
		free(((struct condition_state *)b->conditions.at)[i].signals.at);
		free(((struct condition_state *)b->conditions.at)[i].broadcasts.at);
	}
	for (size_t i = 0; i < b->barriers.count; i++) {
		free(((struct barrier_state *)b->barriers.at)[i].arrivals.at);
		free(((struct barrier_state *)b->barriers.at)[i].rounds.at);
	}
	free(b->threads.at);
	free(b->variables.at);
	free(b->locks.at);
	free(b->conditions.at);
	free(b->barriers.at);
	free(b->onces.at);
	free(b);
	t->builder = NULL;
}

void trace_finish(struct trace *t)
{
	match_semaphores(t);
	trace_builder_free(t);
	t->events = must_resize(t->events, (t->count + 1ul) * sizeof *t->events);
	sort_by_thread(t);
}
