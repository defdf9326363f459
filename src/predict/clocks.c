#include "predict/clocks.h"

#include <stdlib.h>
#include <string.h>

#include "trace/file.h"

/* The last release of a lock for writing, and those for reading since; by event, joined when somebody acquires it. */
struct released {
	uint32_t exclusive;
	uint32_t *shared, count, capacity;
};

struct build {
	struct clocks *c;
	const struct trace *t;
	uint32_t *current; /* by thread: the row it is at */
	bool *fresh;       /* by thread: nobody else has this row */
	struct released *locks;
};

static uint32_t new_row(struct clocks *c, uint32_t copy)
{
	if (c->count == c->capacity) {
		c->capacity = c->capacity ? c->capacity * 2 : 64;
		c->rows = must_resize(c->rows, (size_t)c->capacity * c->threads * sizeof *c->rows);
	}
	memcpy(c->rows + (size_t)c->count * c->threads, c->rows + (size_t)copy * c->threads,
	       c->threads * sizeof *c->rows);
	return c->count++;
}

/* Thread `me` learns of an event and of all that is before it. */
static void learn(struct build *b, uint32_t me, uint32_t event)
{
	struct clocks *c = b->c;
	uint32_t other = b->t->events[event].thread, time = b->t->local[event] + 1;

	if (other == me || clocks_row(c, b->current[me])[other] >= time)
		return;
	if (!b->fresh[me])
		b->current[me] = new_row(c, b->current[me]);
	b->fresh[me] = true;
	uint32_t *mine = c->rows + (size_t)b->current[me] * c->threads;
	const uint32_t *theirs = clocks_row(c, clocks_after(c, event));
	for (uint32_t i = 0; i < c->threads; i++)
		if (mine[i] < theirs[i])
			mine[i] = theirs[i];
	mine[other] = time;
}

static void learn_edges(struct build *b, uint32_t event)
{
	size_t count;
	const struct edge *edges = trace_edges(b->t, event, &count);

	for (size_t i = 0; i < count; i++)
		learn(b, b->t->events[event].thread, edges[i].before);
}

static void learn_releases(struct build *b, const struct trace_event *n)
{
	struct released *l = &b->locks[n->object];

	if (l->exclusive != NO_EVENT)
		learn(b, n->thread, l->exclusive);
	for (uint32_t i = 0; !event_is(n, IS_SHARED) && i < l->count; i++)
		learn(b, n->thread, l->shared[i]);
}

static void keep_release(struct build *b, const struct trace_event *n, uint32_t event)
{
	struct released *l = &b->locks[n->object];

	if (!event_is(n, IS_SHARED)) {
		l->exclusive = event;
		l->count = 0; /* it had waited for them */
		return;
	}
	/* A thread's last one is behind its others. */
	uint32_t i = 0;
	while (i < l->count && b->t->events[l->shared[i]].thread != n->thread)
		i++;
	if (i == l->capacity) {
		l->capacity = l->capacity ? l->capacity * 2 : 4;
		l->shared = must_resize(l->shared, l->capacity * sizeof *l->shared);
	}
	l->shared[i] = event;
	if (i == l->count)
		l->count++;
}

static void build_event(struct build *b, uint32_t event)
{
	const struct trace_event *n = &b->t->events[event];
	uint32_t me = n->thread;

	if (n->flags & EVENT_EDGES)
		learn_edges(b, event);
	if (b->locks && event_is(n, IS_ACQUIRE) && !(n->flags & EVENT_INNER))
		learn_releases(b, n);
	if (!b->t->local[event]) {
		b->c->starts[me] = b->current[me];
		b->fresh[me] = false;
	}
	if ((event_is(n, IS_READ) || n->op == OP_TAKE) && n->match != NO_EVENT)
		learn(b, me, n->match);
	b->c->after[b->t->thread_start[me] + b->t->local[event]] = b->current[me];
	b->fresh[me] = false;
	if (b->locks && event_is(n, IS_RELEASE) && !(n->flags & EVENT_INNER))
		keep_release(b, n, event);
}

void clocks_build(struct clocks *c, const struct trace *t, bool locks)
{
	uint32_t threads = t->objects[OBJECT_THREAD], lock_count = t->objects[OBJECT_LOCK];
	struct build b = {.c = c, .t = t};

	*c = (struct clocks){.trace = t, .threads = threads, .count = 1, .capacity = 64};
	c->rows = must_alloc((size_t)c->capacity * threads * sizeof *c->rows);
	c->after = must_alloc(t->count * sizeof *c->after);
	c->starts = must_alloc(threads * sizeof *c->starts);
	b.current = must_alloc(threads * sizeof *b.current);
	b.fresh = must_alloc(threads * sizeof *b.fresh);
	if (locks) {
		b.locks = must_alloc((lock_count + 1ul) * sizeof *b.locks);
		for (uint32_t i = 0; i < lock_count; i++)
			b.locks[i].exclusive = NO_EVENT;
	}
	for (uint32_t i = 0; i < t->count; i++)
		build_event(&b, i);
	for (uint32_t i = 0; locks && i < lock_count; i++)
		free(b.locks[i].shared);
	free(b.locks);
	free(b.current);
	free(b.fresh);
}

void clocks_free(struct clocks *c)
{
	free(c->rows);
	free(c->after);
	free(c->starts);
	*c = (struct clocks){0};
}
