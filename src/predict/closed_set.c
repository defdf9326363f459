#include "predict/closed_set.h"

#include <stdlib.h>
#include <string.h>

#include "format/file.h"

struct build {
	struct sections *s;
	const struct trace *t;
	size_t list_count, list_capacity, open_count, open_capacity;
};

static bool takes(const struct trace_event *n) { return event_is(n, IS_ACQUIRE) && !(n->flags & EVENT_NESTED); }
static bool gives(const struct trace_event *n) { return event_is(n, IS_RELEASE) && !(n->flags & EVENT_NESTED); }

/* ---- what is held where ---- */

static void open_add(struct build *b, uint32_t acquire)
{
	if (b->open_count == b->open_capacity) {
		b->open_capacity *= 2;
		b->s->open = must_resize(b->s->open, b->open_capacity * sizeof *b->s->open);
	}
	b->s->open[b->open_count++] = acquire;
}

static uint32_t end_list(struct build *b)
{
	if (b->list_count + 2 > b->list_capacity) {
		b->list_capacity = b->list_capacity ? b->list_capacity * 2 : 64;
		b->s->held_start = must_resize(b->s->held_start, b->list_capacity * sizeof *b->s->held_start);
	}
	b->s->held_start[b->list_count + 1] = (uint32_t)b->open_count;
	return (uint32_t)b->list_count++;
}

/* The list behind an event that takes or gives: what was held before, and it or without it. */
static uint32_t next_list(struct build *b, uint32_t list, uint32_t event)
{
	const struct trace_event *n = &b->t->events[event];
	uint32_t from = b->s->held_start[list], to = b->s->held_start[list + 1];

	for (uint32_t i = from; i < to; i++)
		if (takes(n) || b->s->open[i] != n->match)
			open_add(b, b->s->open[i]);
	if (takes(n))
		open_add(b, event);
	return end_list(b);
}

static void build_held(struct build *b)
{
	const struct trace *t = b->t;

	b->open_capacity = 64;
	b->s->open = must_alloc(b->open_capacity * sizeof *b->s->open);
	end_list(b); /* number 0: nothing is held */
	b->s->held_start[0] = 0;
	for (uint32_t thread = 0; thread < t->objects[OBJECT_THREAD]; thread++) {
		uint32_t list = 0;
		for (uint32_t i = t->thread_start[thread]; i < t->thread_start[thread + 1]; i++) {
			const struct trace_event *n = &t->events[t->program[i]];
			if (takes(n) || gives(n))
				list = next_list(b, list, t->program[i]);
			b->s->held[i] = list;
		}
	}
}

/* ---- who acquires what ---- */

struct key {
	uint32_t lock, thread, shared, event;
};

static int compare_keys(const void *x, const void *y)
{
	const struct key *a = x, *b = y;
	uint32_t left[] = {a->lock, a->thread, a->shared, a->event},
	         right[] = {b->lock, b->thread, b->shared, b->event};

	for (int i = 0; i < 4; i++)
		if (left[i] != right[i])
			return left[i] < right[i] ? -1 : 1;
	return 0;
}

static void build_acquires(struct build *b)
{
	const struct trace *t = b->t;
	struct sections *s = b->s;
	uint32_t count = 0, groups = 0, locks = t->objects[OBJECT_LOCK];

	for (uint32_t i = 0; i < t->count; i++)
		count += takes(&t->events[i]);
	struct key *keys = must_alloc((count + 1ul) * sizeof *keys);
	count = 0;
	for (uint32_t i = 0; i < t->count; i++) {
		const struct trace_event *n = &t->events[i];
		if (takes(n))
			keys[count++] = (struct key){n->object, n->thread, event_is(n, IS_SHARED), i};
	}
	qsort(keys, count, sizeof *keys, compare_keys);
	s->acquired = must_alloc((count + 1ul) * sizeof *s->acquired);
	s->places = must_alloc((count + 1ul) * sizeof *s->places);
	s->acquires = must_alloc((count + 1ul) * sizeof *s->acquires);
	s->lock_start = must_alloc((locks + 1ul) * sizeof *s->lock_start);
	for (uint32_t i = 0; i < count; i++) {
		const struct key *k = &keys[i], *last = i ? &keys[i - 1] : NULL;
		s->acquired[i] = k->event;
		s->places[i] = t->local[k->event];
		if (!last || last->lock != k->lock || last->thread != k->thread || last->shared != k->shared) {
			s->acquires[groups++] = (struct acquires){i, i, (uint16_t)k->thread, k->shared};
			s->lock_start[k->lock + 1] = groups;
		}
		s->acquires[groups - 1].to = i + 1;
	}
	for (uint32_t i = 0; i < locks; i++)
		if (!s->lock_start[i + 1])
			s->lock_start[i + 1] = s->lock_start[i];
	s->acquires = must_resize(s->acquires, (groups + 1ul) * sizeof *s->acquires);
	s->group_count = groups;
	free(keys);
}

void sections_build(struct sections *s, const struct trace *t)
{
	struct build b = {.s = s, .t = t};

	sections_held(s, t);
	clocks_build(&s->clocks, t, CLOCKS_READS);
	build_acquires(&b);
}

void sections_held(struct sections *s, const struct trace *t)
{
	struct build b = {.s = s, .t = t};

	*s = (struct sections){.trace = t, .held = must_alloc((t->count + 1ul) * sizeof *s->held)};
	build_held(&b);
}

void sections_free(struct sections *s)
{
	clocks_free(&s->clocks);
	free(s->held);
	free(s->held_start);
	free(s->open);
	free(s->acquired);
	free(s->places);
	free(s->acquires);
	free(s->lock_start);
	*s = (struct sections){0};
}

/* ---- locks in common ---- */

void common_locks_keep(struct common_locks *c, const struct sections *s, uint32_t event, bool first)
{
	const struct trace *t = s->trace;
	uint32_t count, kept = 0;
	const uint32_t *open = sections_open(s, t->events[event].thread, t->local[event], &count);

	if (first)
		c->count = 0;
	for (uint32_t i = 0; i < count && i < LOCKS_KEPT && first; i++) {
		c->lock[i] = t->events[open[i]].object;
		c->shared[i] = false;
		c->count = i + 1;
	}
	for (uint32_t i = 0; i < c->count; i++)
		for (uint32_t k = 0; k < count; k++) {
			const struct trace_event *acquire = &t->events[open[k]];
			if (acquire->object != c->lock[i])
				continue;
			c->lock[kept] = c->lock[i];
			c->shared[kept++] = c->shared[i] || event_is(acquire, IS_SHARED);
		}
	c->count = kept;
}

bool common_locks_exclude(const struct common_locks *a, const struct common_locks *b)
{
	for (uint32_t i = 0; i < a->count; i++)
		for (uint32_t k = 0; k < b->count; k++)
			if (a->lock[i] == b->lock[k] && !(a->shared[i] && b->shared[k]))
				return true;
	return false;
}

/* ---- ideals ---- */

void closed_set_start(struct ideal *i, const struct sections *s)
{
	size_t threads = s->clocks.threads + 1ul;

	*i = (struct ideal){.sections = s, .closed = true, .cleared = 1};
	i->length = must_alloc(threads * sizeof *i->length);
	i->touched = must_alloc(threads * sizeof *i->touched);
	i->stopped = must_alloc(threads * sizeof *i->stopped);
	i->spot = must_alloc(threads * sizeof *i->spot);
	i->seen = must_alloc((s->group_count + 1ul) * sizeof *i->seen);
}

void closed_set_clear(struct ideal *i)
{
	for (uint32_t k = 0; k < i->touched_count; k++)
		i->length[i->touched[k]] = i->spot[i->touched[k]] = 0;
	i->touched_count = i->stopped_count = 0;
	i->closed = true;
	i->cleared++;
}

void closed_set_free(struct ideal *i)
{
	free(i->length);
	free(i->touched);
	free(i->stopped);
	free(i->spot);
	free(i->seen);
	*i = (struct ideal){0};
}

static void lengthen(struct ideal *i, uint32_t thread, uint32_t length)
{
	uint32_t held, *spot = &i->spot[thread];

	if (!i->length[thread])
		i->touched[i->touched_count++] = thread;
	i->length[thread] = length;
	i->closed = false;
	sections_open(i->sections, thread, length, &held);
	if (held && !*spot) {
		i->stopped[i->stopped_count++] = thread;
		*spot = i->stopped_count;
	} else if (!held && *spot) {
		uint32_t last = i->stopped[--i->stopped_count];
		i->stopped[*spot - 1] = last;
		i->spot[last] = *spot;
		i->spot[thread] = 0;
	}
}

/* What a clock has; `first` is the first thread of the tree. */
static void add_clock(struct ideal *i, uint32_t clock, uint32_t first, unsigned height)
{
	const struct clock_node *n = &i->sections->clocks.nodes[clock];

	if (!clock)
		return;
	for (uint32_t k = 0; k < CLOCK_FANOUT; k++) {
		uint32_t thread = first + (k << height * CLOCK_BITS);
		if (height)
			add_clock(i, n->at[k], thread, height - 1);
		else if (n->at[k] && i->length[thread] < n->at[k])
			lengthen(i, thread, n->at[k]);
	}
}

/* The first `length` events of a thread, and the clock behind them. */
static void add_prefix(struct ideal *i, uint32_t thread, uint32_t length, uint32_t clock)
{
	if (i->length[thread] >= length)
		return; /* then all that comes before them is in, too */
	lengthen(i, thread, length);
	add_clock(i, clock, 0, i->sections->clocks.height);
}

void closed_set_add_before(struct ideal *i, uint32_t event)
{
	const struct clocks *c = &i->sections->clocks;
	uint32_t local = c->trace->local[event], clock = clocks_before(c, event);

	if (local)
		add_prefix(i, c->trace->events[event].thread, local, clock);
	if (!local || c->trace->events[event].flags & EVENT_EDGES)
		add_clock(i, clock, 0, c->height); /* its fork */
}

/*
 * The last acquire of a group that is in; NO_EVENT if none is. Ideals only grow, so the search goes on where it ended
 * the last time, in steps that double.
 */
static uint32_t last_in(struct ideal *i, uint32_t group)
{
	const struct sections *s = i->sections;
	const struct acquires *a = &s->acquires[group];
	uint32_t length = i->length[a->thread], low = a->from, high, step = 1;

	if (i->seen[group].since == i->cleared)
		low = i->seen[group].at;
	for (high = low; high < a->to && s->places[high] < length; step *= 2) {
		low = high + 1;
		high = step < a->to - high ? high + step : a->to;
	}
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		if (s->places[middle] < length)
			low = middle + 1;
		else
			high = middle;
	}
	i->seen[group].at = low;
	i->seen[group].since = i->cleared;
	return low == a->from ? NO_EVENT : s->acquired[low - 1];
}

/* Whether a section that comes behind an open one has begun, and excludes it. */
static bool is_in_the_way(struct ideal *i, uint32_t acquire)
{
	const struct sections *s = i->sections;
	const struct trace_event *n = &s->trace->events[acquire];

	for (uint32_t g = s->lock_start[n->object]; g < s->lock_start[n->object + 1]; g++) {
		const struct acquires *a = &s->acquires[g];
		if (a->thread == n->thread || (a->shared && event_is(n, IS_SHARED)))
			continue;
		/* Most groups have nothing behind it, or nothing in: do not search those. */
		if (s->acquired[a->to - 1] < acquire || s->places[a->from] >= i->length[a->thread])
			continue;
		uint32_t last = last_in(i, g);
		if (last != NO_EVENT && last > acquire)
			return true;
	}
	return false;
}

/* Ends the sections that are in the way and open where a thread stops. */
static void end_sections(struct ideal *i, uint32_t thread)
{
	const struct sections *s = i->sections;
	uint32_t count;
	const uint32_t *open = sections_open(s, thread, i->length[thread], &count);

	for (uint32_t k = 0; k < count; k++) {
		if (!is_in_the_way(i, open[k]))
			continue;
		uint32_t release = s->trace->events[open[k]].match;
		add_prefix(i, thread, s->trace->local[release] + 1, clocks_after(&s->clocks, release));
	}
}

void closed_set_close(struct ideal *i)
{
	while (!i->closed) {
		i->closed = true;
		/* Whoever goes on may leave the list or come to it: then there is another round. */
		for (uint32_t k = 0; k < i->stopped_count; k++)
			end_sections(i, i->stopped[k]);
	}
}
