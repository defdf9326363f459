#include "predict/closed_set.h"

#include <stdlib.h>
#include <string.h>

#include "format/file.h"

struct sections_builder {
	struct sections *s;
	const struct trace *t;
	size_t list_count, list_capacity, held_count, held_capacity;
};

static bool is_acquire(const struct trace_event *n) { return event_is(n, IS_ACQUIRE) && !(n->flags & EVENT_NESTED); }
static bool is_release(const struct trace_event *n) { return event_is(n, IS_RELEASE) && !(n->flags & EVENT_NESTED); }

/* ---- the locks that a thread holds at each place ---- */

static void hold_add(struct sections_builder *b, uint32_t acquire)
{
	if (b->held_count == b->held_capacity) {
		b->held_capacity *= 2;
		b->s->held_acquires = must_resize(b->s->held_acquires, b->held_capacity * sizeof *b->s->held_acquires);
	}
	b->s->held_acquires[b->held_count++] = acquire;
}

static uint32_t end_held_list(struct sections_builder *b)
{
	if (b->list_count + 2 > b->list_capacity) {
		b->list_capacity = b->list_capacity ? b->list_capacity * 2 : 64;
		b->s->held_start = must_resize(b->s->held_start, b->list_capacity * sizeof *b->s->held_start);
	}
	b->s->held_start[b->list_count + 1] = (uint32_t)b->held_count;
	return (uint32_t)b->list_count++;
}

/* The list of held locks after an acquire or release: the list before it, with or without this lock. */
static uint32_t next_held_list(struct sections_builder *b, uint32_t list, uint32_t event)
{
	const struct trace_event *n = &b->t->events[event];
	uint32_t from = b->s->held_start[list], to = b->s->held_start[list + 1];

	for (uint32_t i = from; i < to; i++)
		if (is_acquire(n) || b->s->held_acquires[i] != n->match)
			hold_add(b, b->s->held_acquires[i]);
	if (is_acquire(n))
		hold_add(b, event);
	return end_held_list(b);
}

static void build_held(struct sections_builder *b)
{
	const struct trace *t = b->t;

	b->held_capacity = 64;
	b->s->held_acquires = must_alloc(b->held_capacity * sizeof *b->s->held_acquires);
	end_held_list(b); /* list 0: nothing is held */
	b->s->held_start[0] = 0;
	for (uint32_t thread = 0; thread < t->objects[OBJECT_THREAD]; thread++) {
		uint32_t list = 0;
		for (uint32_t i = t->thread_start[thread]; i < t->thread_start[thread + 1]; i++) {
			const struct trace_event *n = &t->events[t->thread_events[i]];
			if (is_acquire(n) || is_release(n))
				list = next_held_list(b, list, t->thread_events[i]);
			b->s->held[i] = list;
		}
	}
}

/* ---- the acquires of each lock ---- */

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

static void build_acquires(struct sections_builder *b)
{
	const struct trace *t = b->t;
	struct sections *s = b->s;
	uint32_t count = 0, groups = 0, locks = t->objects[OBJECT_LOCK];

	for (uint32_t i = 0; i < t->count; i++)
		count += is_acquire(&t->events[i]);
	struct key *keys = must_alloc((count + 1ul) * sizeof *keys);
	count = 0;
	for (uint32_t i = 0; i < t->count; i++) {
		const struct trace_event *n = &t->events[i];
		if (is_acquire(n))
			keys[count++] = (struct key){n->object, n->thread, event_is(n, IS_SHARED), i};
	}
	qsort(keys, count, sizeof *keys, compare_keys);
	s->acquired = must_alloc((count + 1ul) * sizeof *s->acquired);
	s->acquired_index = must_alloc((count + 1ul) * sizeof *s->acquired_index);
	s->groups = must_alloc((count + 1ul) * sizeof *s->groups);
	s->lock_groups = must_alloc((locks + 1ul) * sizeof *s->lock_groups);
	for (uint32_t i = 0; i < count; i++) {
		const struct key *k = &keys[i], *last = i ? &keys[i - 1] : NULL;
		s->acquired[i] = k->event;
		s->acquired_index[i] = t->thread_index[k->event];
		if (!last || last->lock != k->lock || last->thread != k->thread || last->shared != k->shared) {
			s->groups[groups++] = (struct acquire_group){i, i, (uint16_t)k->thread, k->shared};
			s->lock_groups[k->lock + 1] = groups;
		}
		s->groups[groups - 1].to = i + 1;
	}
	for (uint32_t i = 0; i < locks; i++)
		if (!s->lock_groups[i + 1])
			s->lock_groups[i + 1] = s->lock_groups[i];
	s->groups = must_resize(s->groups, (groups + 1ul) * sizeof *s->groups);
	s->group_count = groups;
	free(keys);
}

void sections_build(struct sections *s, const struct trace *t)
{
	struct sections_builder b = {.s = s, .t = t};

	sections_build_held(s, t);
	clocks_build(&s->clocks, t, CLOCKS_READS);
	build_acquires(&b);
}

void sections_build_held(struct sections *s, const struct trace *t)
{
	struct sections_builder b = {.s = s, .t = t};

	*s = (struct sections){.trace = t, .held = must_alloc((t->count + 1ul) * sizeof *s->held)};
	build_held(&b);
}

void sections_free(struct sections *s)
{
	clocks_free(&s->clocks);
	free(s->held);
	free(s->held_start);
	free(s->held_acquires);
	free(s->acquired);
	free(s->acquired_index);
	free(s->groups);
	free(s->lock_groups);
	*s = (struct sections){0};
}

/* ---- locks that accesses have in common ---- */

void common_locks_keep(struct common_locks *c, const struct sections *s, uint32_t event, bool first)
{
	const struct trace *t = s->trace;
	uint32_t count, kept = 0;
	const uint32_t *open = sections_held_after(s, t->events[event].thread, t->thread_index[event], &count);

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

/* ---- closed sets ---- */

void closed_set_start(struct closed_set *set, const struct sections *s)
{
	size_t threads = s->clocks.threads + 1ul;

	*set = (struct closed_set){.sections = s, .closed = true, .round = 1};
	set->length = must_alloc(threads * sizeof *set->length);
	set->touched = must_alloc(threads * sizeof *set->touched);
	set->stopped = must_alloc(threads * sizeof *set->stopped);
	set->stopped_at = must_alloc(threads * sizeof *set->stopped_at);
	set->seen = must_alloc((s->group_count + 1ul) * sizeof *set->seen);
}

void closed_set_clear(struct closed_set *set)
{
	for (uint32_t k = 0; k < set->touched_count; k++)
		set->length[set->touched[k]] = set->stopped_at[set->touched[k]] = 0;
	set->touched_count = set->stopped_count = 0;
	set->closed = true;
	set->round++;
}

void closed_set_free(struct closed_set *set)
{
	free(set->length);
	free(set->touched);
	free(set->stopped);
	free(set->stopped_at);
	free(set->seen);
	*set = (struct closed_set){0};
}

static void lengthen(struct closed_set *set, uint32_t thread, uint32_t length)
{
	uint32_t held, *stopped_at = &set->stopped_at[thread];

	if (!set->length[thread])
		set->touched[set->touched_count++] = thread;
	set->length[thread] = length;
	set->closed = false;
	sections_held_after(set->sections, thread, length, &held);
	if (held && !*stopped_at) {
		set->stopped[set->stopped_count++] = thread;
		*stopped_at = set->stopped_count;
	} else if (!held && *stopped_at) {
		uint32_t last = set->stopped[--set->stopped_count];
		set->stopped[*stopped_at - 1] = last;
		set->stopped_at[last] = *stopped_at;
		set->stopped_at[thread] = 0;
	}
}

/* Adds the events that a clock counts; `first` is the first thread of this subtree. */
static void add_clock(struct closed_set *set, uint32_t clock, uint32_t first, unsigned height)
{
	const struct clock_node *n = &set->sections->clocks.nodes[clock];

	if (!clock)
		return;
	for (uint32_t k = 0; k < CLOCK_FANOUT; k++) {
		uint32_t thread = first + (k << height * CLOCK_BITS);
		if (height)
			add_clock(set, n->at[k], thread, height - 1);
		else if (n->at[k] && set->length[thread] < n->at[k])
			lengthen(set, thread, n->at[k]);
	}
}

/* Adds the first `length` events of a thread, and those that the clock after them counts. */
static void add_prefix(struct closed_set *set, uint32_t thread, uint32_t length, uint32_t clock)
{
	if (set->length[thread] >= length)
		return; /* what comes before them is in the set already */
	lengthen(set, thread, length);
	add_clock(set, clock, 0, set->sections->clocks.height);
}

void closed_set_add_before(struct closed_set *set, uint32_t event)
{
	const struct clocks *c = &set->sections->clocks;
	uint32_t index = c->trace->thread_index[event], clock = clocks_before(c, event);

	if (index)
		add_prefix(set, c->trace->events[event].thread, index, clock);
	if (!index || c->trace->events[event].flags & EVENT_EDGES)
		add_clock(set, clock, 0, c->height); /* what its fork, or another edge, brings in */
}

/*
 * The last acquire of a group that is in the set; NO_EVENT if none is. The set only grows, so the search continues
 * where it ended the last time, in steps that double.
 */
static uint32_t last_in(struct closed_set *set, uint32_t group)
{
	const struct sections *s = set->sections;
	const struct acquire_group *a = &s->groups[group];
	uint32_t length = set->length[a->thread], low = a->from, high, step = 1;

	if (set->seen[group].round == set->round)
		low = set->seen[group].at;
	for (high = low; high < a->to && s->acquired_index[high] < length; step *= 2) {
		low = high + 1;
		high = step < a->to - high ? high + step : a->to;
	}
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		if (s->acquired_index[middle] < length)
			low = middle + 1;
		else
			high = middle;
	}
	set->seen[group].at = low;
	set->seen[group].round = set->round;
	return low == a->from ? NO_EVENT : s->acquired[low - 1];
}

/* Whether a later section that excludes this open one has begun in the set. */
static bool is_in_the_way(struct closed_set *set, uint32_t acquire)
{
	const struct sections *s = set->sections;
	const struct trace_event *n = &s->trace->events[acquire];

	for (uint32_t g = s->lock_groups[n->object]; g < s->lock_groups[n->object + 1]; g++) {
		const struct acquire_group *a = &s->groups[g];
		if (a->thread == n->thread || (a->shared && event_is(n, IS_SHARED)))
			continue;
		/* Most groups have no later acquire, or none in the set: no need to search them. */
		if (s->acquired[a->to - 1] < acquire || s->acquired_index[a->from] >= set->length[a->thread])
			continue;
		uint32_t last = last_in(set, g);
		if (last != NO_EVENT && last > acquire)
			return true;
	}
	return false;
}

/*
 * A thread stops in the set with sections open: extends the thread to the end of each one that blocks another section.
 */
static void end_sections(struct closed_set *set, uint32_t thread)
{
	const struct sections *s = set->sections;
	uint32_t count;
	const uint32_t *open = sections_held_after(s, thread, set->length[thread], &count);

	for (uint32_t k = 0; k < count; k++) {
		if (!is_in_the_way(set, open[k]))
			continue;
		uint32_t release = s->trace->events[open[k]].match;
		add_prefix(set, thread, s->trace->thread_index[release] + 1, clocks_after(&s->clocks, release));
	}
}

void closed_set_close(struct closed_set *set)
{
	while (!set->closed) {
		set->closed = true;
		/*
		 * A thread that is extended may leave the list `stopped` or enter it: the loop then makes another
		 * round.
		 */
		for (uint32_t k = 0; k < set->stopped_count; k++)
			end_sections(set, set->stopped[k]);
	}
}
