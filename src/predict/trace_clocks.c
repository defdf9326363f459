#include "predict/trace_clocks.h"

#include <stdlib.h>
#include <string.h>

#include "format/file.h"

/*
 * The last exclusive release of a lock, and the shared releases after it. They are stored as events: most are never
 * joined.
 */
struct released {
	uint32_t exclusive;
	uint32_t *shared, count, capacity;
};

struct clocks_builder {
	struct clocks *c;
	const struct trace *t;
	uint32_t *current; /* by thread: its clock so far */
	struct released *locks;
	bool reads;
};

static uint32_t new_node(struct clocks *c, const struct clock_node *n)
{
	if (c->count == c->capacity) {
		c->capacity += c->capacity / 2;
		c->nodes = must_resize(c->nodes, c->capacity * sizeof *c->nodes);
	}
	c->nodes[c->count] = *n;
	return c->count++;
}

/* A tree with the larger counts of two; one of the two, if it has all of them. */
static uint32_t join(struct clocks *c, uint32_t a, uint32_t b, unsigned height)
{
	if (a == b || !b)
		return a;
	if (!a)
		return b;
	struct clock_node x = c->nodes[a], y = c->nodes[b], new;
	for (unsigned i = 0; i < CLOCK_FANOUT; i++)
		new.at[i] = height ? join(c, x.at[i], y.at[i], height - 1) : x.at[i] > y.at[i] ? x.at[i] : y.at[i];
	if (!memcmp(&new, &x, sizeof new))
		return a;
	return memcmp(&new, &y, sizeof new) ? new_node(c, &new) : b;
}

static uint32_t with_count(struct clocks *c, uint32_t clock, uint32_t thread, uint32_t count, unsigned height)
{
	struct clock_node new = c->nodes[clock];
	uint32_t *at = &new.at[thread >> height * CLOCK_BITS & (CLOCK_FANOUT - 1)];

	*at = height ? with_count(c, *at, thread, count, height - 1) : count;
	return new_node(c, &new);
}

/* Thread `me` learns that an event, and all that is before it, has happened. */
static void learn(struct clocks_builder *b, uint32_t me, uint32_t event)
{
	struct clocks *c = b->c;
	uint32_t other = b->t->events[event].thread, count = b->t->thread_index[event] + 1;

	if (other == me || clocks_get(c, b->current[me], other) >= count)
		return;
	uint32_t joined = join(c, b->current[me], clocks_after(c, event), c->height);
	b->current[me] = with_count(c, joined, other, count, c->height);
}

static void learn_edges(struct clocks_builder *b, uint32_t event)
{
	size_t count;
	const struct edge *edges = trace_edges(b->t, event, &count);

	for (size_t i = 0; i < count; i++)
		learn(b, b->t->events[event].thread, edges[i].before);
}

static void learn_releases(struct clocks_builder *b, const struct trace_event *n)
{
	struct released *l = &b->locks[n->object];

	if (l->exclusive != NO_EVENT)
		learn(b, n->thread, l->exclusive);
	for (uint32_t i = 0; !event_is(n, IS_SHARED) && i < l->count; i++)
		learn(b, n->thread, l->shared[i]);
}

static void keep_release(struct clocks_builder *b, const struct trace_event *n, uint32_t event)
{
	struct released *l = &b->locks[n->object];

	if (!event_is(n, IS_SHARED)) {
		l->exclusive = event;
		l->count = 0; /* this holder waited for all of them */
		return;
	}
	/* The last release of a thread comes after its others: keep only that one. */
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

static void keep_restart(struct clocks_builder *b, uint32_t event)
{
	struct clocks *c = b->c;

	if (c->restart_count == c->restart_capacity) {
		c->restart_capacity = c->restart_capacity ? c->restart_capacity * 2 : 16;
		c->restarts = must_resize(c->restarts, c->restart_capacity * sizeof *c->restarts);
	}
	c->restarts[c->restart_count++] = (struct restart){event, b->current[b->t->events[event].thread]};
}

uint32_t clocks_restart(const struct clocks *c, uint32_t event)
{
	uint32_t low = 0, high = c->restart_count - 1;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		if (c->restarts[middle].event < event)
			low = middle + 1;
		else
			high = middle;
	}
	return c->restarts[low].clock;
}

static void build_event(struct clocks_builder *b, uint32_t event)
{
	const struct trace_event *n = &b->t->events[event];
	uint32_t me = n->thread;

	if (n->flags & EVENT_EDGES)
		learn_edges(b, event);
	if (b->locks && event_is(n, IS_ACQUIRE) && !(n->flags & EVENT_NESTED))
		learn_releases(b, n);
	if (!b->t->thread_index[event])
		b->c->starts[me] = b->current[me];
	else if (n->flags & EVENT_EDGES && event_is_access(n))
		keep_restart(b, event);
	if (b->reads && (event_is(n, IS_READ) || n->op == OP_TAKE) && n->match != NO_EVENT)
		learn(b, me, n->match);
	b->c->after[b->t->thread_start[me] + b->t->thread_index[event]] = b->current[me];
	if (b->locks && event_is(n, IS_RELEASE) && !(n->flags & EVENT_NESTED))
		keep_release(b, n, event);
}

void clocks_build(struct clocks *c, const struct trace *t, enum clock_order order)
{
	uint32_t threads = t->objects[OBJECT_THREAD], lock_count = t->objects[OBJECT_LOCK];
	struct clocks_builder b = {.c = c, .t = t, .reads = order >= CLOCKS_READS};
	bool locks = order >= CLOCKS_LOCKS;

	*c = (struct clocks){.trace = t, .threads = threads, .count = 1, .capacity = 64};
	c->nodes = must_alloc(c->capacity * sizeof *c->nodes);
	while (threads > 1 && (threads - 1) >> (c->height + 1) * CLOCK_BITS)
		c->height++;
	c->after = must_alloc(t->count * sizeof *c->after);
	c->starts = must_alloc(threads * sizeof *c->starts);
	b.current = must_alloc(threads * sizeof *b.current);
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
}

void clocks_free(struct clocks *c)
{
	free(c->nodes);
	free(c->after);
	free(c->starts);
	free(c->restarts);
	*c = (struct clocks){0};
}
