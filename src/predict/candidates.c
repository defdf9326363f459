#include "predict/candidates.h"

#include <stdlib.h>
#include <string.h>

#include "predict/beyond_window.h"
#include "predict/seconds.h"
#include "format/file.h"

/* A table of numbers by hash; the caller compares. */
struct table {
	uint32_t *slots; /* number + 1, 0 is free */
	size_t size, used;
};

static uint64_t mix(uint64_t h, uint64_t v)
{
	h = (h ^ v) * 0x9e3779b97f4a7c15;
	return h ^ h >> 32;
}

static void table_start(struct table *t, size_t size)
{
	*t = (struct table){.size = size, .slots = calloc(size, sizeof(uint32_t))};
	if (!t->slots)
		abort();
}

/* Must-happen-before and locks, from the start of the window on. */
struct sweep {
	const struct trace *t;
	uint32_t start, end;
	uint32_t *thread_of; /* by thread of the trace: its number here */
	uint32_t thread_count;

	/*
	 * A segment is a piece of a thread between events that others must wait for or that wait for others: all of it
	 * is before another segment, or nothing. `before`, thread_count numbers a segment: how many of that thread's
	 * segments are before it.
	 */
	uint32_t *segment; /* by event */
	uint32_t *before;
	uint32_t *number; /* by segment: how many of its thread come before it */
	uint32_t segment_count, segment_capacity;
	/* So many can there be. */
	size_t segments_most;
	uint32_t *current; /* by thread here: its segment */
	bool *sends;       /* by event: others wait for it */

	/* Sets of locks: lock << 1 | shared, in rising order. */
	struct table set_table;
	uint32_t *set_start, *set_locks;
	uint32_t set_count, set_capacity, set_used, set_locks_capacity;
	uint32_t *held; /* by thread here: the set it has */
};

static uint32_t new_segment(struct sweep *s, uint32_t thread)
{
	uint32_t old = s->current[thread], new = s->segment_count++;

	if (s->segment_count > s->segment_capacity) {
		s->segment_capacity = s->segment_capacity * 2 + 64;
		s->before = must_resize(s->before, (size_t)s->segment_capacity * s->thread_count * sizeof *s->before);
		s->number = must_resize(s->number, s->segment_capacity * sizeof *s->number);
	}
	uint32_t *clock = s->before + (size_t)new * s->thread_count;
	if (old == NONE) {
		memset(clock, 0, s->thread_count * sizeof *clock);
		s->number[new] = 0;
	} else {
		memcpy(clock, s->before + (size_t)old * s->thread_count, s->thread_count * sizeof *clock);
		s->number[new] = s->number[old] + 1;
		clock[thread] = s->number[new];
	}
	s->current[thread] = new;
	return new;
}

static void wait_for(struct sweep *s, uint32_t segment, uint32_t event)
{
	uint32_t other = s->segment[event - s->start], thread = s->thread_of[s->t->events[event].thread];
	uint32_t *clock = s->before + (size_t)segment * s->thread_count;
	const uint32_t *theirs = s->before + (size_t)other * s->thread_count;

	for (uint32_t i = 0; i < s->thread_count; i++)
		if (clock[i] < theirs[i])
			clock[i] = theirs[i];
	if (clock[thread] < s->number[other] + 1)
		clock[thread] = s->number[other] + 1;
}

static bool segment_before(const struct sweep *s, const struct alike *a, const struct alike *b)
{
	return s->before[(size_t)b->segment * s->thread_count + s->thread_of[a->thread]] > s->number[a->segment];
}

static uint32_t set_intern(struct sweep *s, const uint32_t *locks, uint32_t count)
{
	uint64_t h = count;
	size_t at;

	for (uint32_t i = 0; i < count; i++)
		h = mix(h, locks[i]);
	for (at = h & (s->set_table.size - 1); s->set_table.slots[at]; at = (at + 1) & (s->set_table.size - 1)) {
		uint32_t set = s->set_table.slots[at] - 1;
		if (s->set_start[set + 1] - s->set_start[set] == count &&
		    !memcmp(s->set_locks + s->set_start[set], locks, count * sizeof *locks))
			return set;
	}
	if (s->set_count + 2 > s->set_capacity) {
		s->set_capacity = s->set_capacity * 2 + 64;
		s->set_start = must_resize(s->set_start, s->set_capacity * sizeof *s->set_start);
	}
	if (s->set_used + count > s->set_locks_capacity) {
		s->set_locks_capacity = (s->set_used + count) * 2 + 64;
		s->set_locks = must_resize(s->set_locks, s->set_locks_capacity * sizeof *s->set_locks);
	}
	if (count)
		memcpy(s->set_locks + s->set_used, locks, count * sizeof *locks);
	s->set_start[s->set_count] = s->set_used;
	s->set_start[s->set_count + 1] = s->set_used += count;
	s->set_table.slots[at] = s->set_count + 1;
	return s->set_count++;
}

static void set_change(struct sweep *s, uint32_t thread, uint32_t lock, bool add)
{
	uint32_t set = s->held[thread], count = s->set_start[set + 1] - s->set_start[set], n = 0;
	uint32_t *locks = must_alloc((count + 1) * sizeof *locks);
	bool done = false;

	for (uint32_t i = 0; i < count; i++) {
		uint32_t have = s->set_locks[s->set_start[set] + i];
		if (add && !done && have >= lock) {
			locks[n++] = lock;
			done = true;
		}
		if (have != lock)
			locks[n++] = have;
	}
	if (add && !done)
		locks[n++] = lock;
	s->held[thread] = set_intern(s, locks, n);
	free(locks);
}

/* Whether there is a lock in both that not both have shared. */
static bool sets_exclude(const struct sweep *s, uint32_t a, uint32_t b)
{
	uint32_t i = s->set_start[a], j = s->set_start[b];

	while (i < s->set_start[a + 1] && j < s->set_start[b + 1]) {
		uint32_t x = s->set_locks[i], y = s->set_locks[j];
		if (x >> 1 == y >> 1) {
			if (!(x & y & 1))
				return true;
			/* A thread may have a lock in both ways; the other way is behind this one. */
			i++;
		} else if (x < y) {
			i++;
		} else {
			j++;
		}
	}
	return false;
}

static uint32_t lock_of(const struct trace_event *e) { return e->object << 1 | event_is(e, IS_SHARED); }

static void sweep_start(struct sweep *s, const struct trace *t, const struct carry *carry, uint32_t end)
{
	uint32_t all = t->objects[OBJECT_THREAD];

	*s = (struct sweep){.t = t, .start = carry->at, .end = end};
	s->thread_of = must_alloc((all + 1) * sizeof *s->thread_of);
	memset(s->thread_of, 0xff, all * sizeof *s->thread_of);
	s->sends = calloc(end - s->start + 1, sizeof *s->sends);
	s->segment = must_alloc((end - s->start + 1) * sizeof *s->segment);
	for (uint32_t i = s->start; i < end; i++) {
		const struct trace_event *e = &t->events[i];
		if (s->thread_of[e->thread] == NONE)
			s->thread_of[e->thread] = s->thread_count++;
		size_t count = 0;
		const struct edge *edges = e->flags & EVENT_EDGES ? trace_edges(t, i, &count) : NULL;
		for (size_t k = 0; k < count; k++)
			if (edges[k].before >= s->start)
				s->sends[edges[k].before - s->start] = true;
		s->segments_most += count ? 1 + count : 0;
	}
	s->segments_most += s->thread_count;
	s->current = must_alloc((s->thread_count + 1) * sizeof *s->current);
	s->held = must_alloc((s->thread_count + 1) * sizeof *s->held);
	size_t size = 256;
	while (size < (size_t)(end - s->start) * 4)
		size *= 2;
	table_start(&s->set_table, size);
	uint32_t nothing = set_intern(s, NULL, 0);
	for (uint32_t i = 0; i < s->thread_count; i++) {
		s->current[i] = NONE;
		s->held[i] = nothing;
		new_segment(s, i);
	}
	for (uint32_t i = 0; i < carry->open_count; i++) {
		const struct trace_event *e = &t->events[carry->open[i]];
		if (s->thread_of[e->thread] != NONE)
			set_change(s, s->thread_of[e->thread], lock_of(e), true);
	}
}

static void sweep_free(struct sweep *s)
{
	free(s->thread_of);
	free(s->segment);
	free(s->before);
	free(s->number);
	free(s->current);
	free(s->sends);
	free(s->set_table.slots);
	free(s->set_start);
	free(s->set_locks);
	free(s->held);
}

static void sweep_event(struct sweep *s, uint32_t i)
{
	const struct trace_event *e = &s->t->events[i];
	uint32_t thread = s->thread_of[e->thread];
	size_t count = 0;
	const struct edge *edges = e->flags & EVENT_EDGES ? trace_edges(s->t, i, &count) : NULL;
	bool waits = false;

	for (size_t k = 0; k < count; k++)
		waits |= edges[k].before >= s->start;
	if (waits) {
		uint32_t segment = new_segment(s, thread);
		for (size_t k = 0; k < count; k++)
			if (edges[k].before >= s->start)
				wait_for(s, segment, edges[k].before);
	}
	s->segment[i - s->start] = s->current[thread];
	if (s->sends[i - s->start])
		new_segment(s, thread);
	if (e->flags & EVENT_NESTED || !event_is(e, IS_ACQUIRE | IS_RELEASE))
		return;
	if (event_is(e, IS_ACQUIRE))
		set_change(s, thread, lock_of(e), true);
	else if (e->match != NO_EVENT)
		set_change(s, thread, lock_of(&s->t->events[e->match]), false);
}

/* Variables that two threads have to do with, one of them a writer: by a table of the window's own. */
struct use {
	uint32_t variable, thread;
	bool many, written;
	uint32_t first; /* the last of its `alike`, chained by `next` */
};

struct finder {
	struct candidates *c;
	struct sweep s;
	struct table use_table, alike_table, pair_table;
	struct use *uses;
	uint32_t use_count;
	uint32_t *next; /* by alike: the one before it of its variable, or NONE */
	uint32_t next_capacity;
	size_t meetings;
	uint32_t until_look; /* at the clock */
};

static struct use *use_of(struct finder *f, uint32_t variable)
{
	size_t at = mix(1, variable) & (f->use_table.size - 1);

	for (; f->use_table.slots[at]; at = (at + 1) & (f->use_table.size - 1))
		if (f->uses[f->use_table.slots[at] - 1].variable == variable)
			return &f->uses[f->use_table.slots[at] - 1];
	f->uses[f->use_count] = (struct use){.variable = variable, .thread = NONE, .first = NONE};
	f->use_table.slots[at] = ++f->use_count;
	return &f->uses[f->use_count - 1];
}

static struct alike *alike_of(struct finder *f, struct use *u, const struct alike *key)
{
	struct candidates *c = f->c;
	uint64_t h =
	        mix(mix(mix(mix(mix(key->op, key->variable), key->location), key->thread), key->segment), key->lockset);
	size_t at;

	for (at = h & (f->alike_table.size - 1); f->alike_table.slots[at]; at = (at + 1) & (f->alike_table.size - 1)) {
		struct alike *a = &c->alike[f->alike_table.slots[at] - 1];
		if (a->op == key->op && a->variable == key->variable && a->location == key->location &&
		    a->thread == key->thread && a->segment == key->segment && a->lockset == key->lockset)
			return a;
	}
	if (c->alike_count == c->alike_capacity) {
		c->alike_capacity = c->alike_capacity * 2 + 64;
		c->alike = must_resize(c->alike, c->alike_capacity * sizeof *c->alike);
		f->next = must_resize(f->next, c->alike_capacity * sizeof *f->next);
	}
	c->alike[c->alike_count] = *key;
	f->next[c->alike_count] = u->first;
	u->first = c->alike_count;
	f->alike_table.slots[at] = ++c->alike_count;
	return &c->alike[c->alike_count - 1];
}

static void alike_add(struct alike *a, uint32_t event)
{
	if (a->count == a->capacity) {
		a->capacity = a->capacity * 2 + 4;
		a->events = must_resize(a->events, a->capacity * sizeof *a->events);
	}
	a->events[a->count++] = event;
}

static struct candidate *candidate_of(struct finder *f, uint32_t x, uint32_t y)
{
	struct candidates *c = f->c;
	uint32_t low = x < y ? x : y, high = x < y ? y : x;
	size_t at;

	if ((c->count + 1) * 2 > f->pair_table.size) {
		struct table bigger;
		table_start(&bigger, f->pair_table.size * 2);
		for (uint32_t i = 0; i < c->count; i++) {
			at = mix(mix(2, c->list[i].location[0]), c->list[i].location[1]) & (bigger.size - 1);
			while (bigger.slots[at])
				at = (at + 1) & (bigger.size - 1);
			bigger.slots[at] = i + 1;
		}
		free(f->pair_table.slots);
		f->pair_table = bigger;
	}
	at = mix(mix(2, low), high) & (f->pair_table.size - 1);
	for (; f->pair_table.slots[at]; at = (at + 1) & (f->pair_table.size - 1)) {
		struct candidate *p = &c->list[f->pair_table.slots[at] - 1];
		if (p->location[0] == low && p->location[1] == high)
			return p;
	}
	if (c->count == c->capacity) {
		c->capacity = c->capacity * 2 + 16;
		c->list = must_resize(c->list, c->capacity * sizeof *c->list);
	}
	c->list[c->count] = (struct candidate){.location = {low, high}};
	f->pair_table.slots[at] = ++c->count;
	return &c->list[c->count - 1];
}

static void want(struct finder *f, const struct alike *a)
{
	for (uint32_t i = 0; i < a->count; i++)
		f->c->wanted[a->events[i] - f->s.start] = true;
}

/* Whether all that two can meet by was in windows of this size, before. */
static bool are_near(const struct alike *a, const struct alike *b, uint32_t window)
{
	uint32_t a_first = a->events[0], a_last = a->events[a->count - 1];
	uint32_t b_first = b->events[0], b_last = b->events[b->count - 1];

	return !(a_first < b_last && is_far(window, a_first, b_last)) &&
	       !(b_first < a_last && is_far(window, b_first, a_last));
}

static void meet(struct finder *f, uint32_t x, uint32_t y, const struct scope *scope)
{
	const struct alike *a = &f->c->alike[x], *b = &f->c->alike[y];
	struct trace_event one = {.object = a->variable, .thread = (uint16_t)a->thread, .op = a->op};
	struct trace_event two = {.object = b->variable, .thread = (uint16_t)b->thread, .op = b->op};
	struct candidate *p;

	if (!events_conflict(&one, &two) || pairs_known(scope->known, a->location, b->location))
		return;
	if (a->events[a->count - 1] < scope->fresh && b->events[b->count - 1] < scope->fresh)
		return;
	if (scope->beyond && are_near(a, b, scope->beyond))
		return;
	if (segment_before(&f->s, a, b) || segment_before(&f->s, b, a) || sets_exclude(&f->s, a->lockset, b->lockset))
		return;
	p = candidate_of(f, a->location, b->location);
	if (p->count == p->capacity) {
		p->capacity = p->capacity * 2 + 4;
		p->meetings = must_resize(p->meetings, p->capacity * sizeof *p->meetings);
	}
	p->meetings[p->count][0] = x;
	p->meetings[p->count++][1] = y;
	f->meetings++;
	want(f, a);
	want(f, b);
}

static void collect(struct finder *f)
{
	const struct trace *t = f->s.t;

	for (uint32_t i = f->s.start; i < f->s.end; i++) {
		const struct trace_event *e = &t->events[i];
		if (!event_is_access(e))
			continue;
		struct use *u = use_of(f, e->object);
		u->many |= u->thread != NONE && u->thread != e->thread;
		u->thread = e->thread;
		u->written |= event_is(e, IS_WRITE);
	}
	for (uint32_t i = f->s.start; i < f->s.end; i++) {
		const struct trace_event *e = &t->events[i];
		sweep_event(&f->s, i);
		if (!event_is_access(e))
			continue;
		struct use *u = use_of(f, e->object);
		if (!u->many || !u->written)
			continue;
		struct alike key = {.variable = e->object,
		                    .location = e->location,
		                    .thread = e->thread,
		                    .segment = f->s.segment[i - f->s.start],
		                    .lockset = f->s.held[f->s.thread_of[e->thread]],
		                    .op = e->op};
		alike_add(alike_of(f, u, &key), i);
	}
}

/* Limits of what may take any time and memory: clocks of all segments, and meetings. */
#define CLOCKS_MOST   (1ul << 27)
#define MEETINGS_MOST (1ul << 22)
#define LOOK_EVERY    4096

static bool is_too_much(struct finder *f, const struct scope *scope)
{
	if (scope->deadline <= 0)
		return false;
	if (f->until_look--)
		return f->meetings > MEETINGS_MOST;
	f->until_look = LOOK_EVERY;
	return seconds_now() > scope->deadline;
}

static void find_meetings(struct finder *f, const struct scope *scope)
{
	for (uint32_t u = 0; u < f->use_count; u++)
		for (uint32_t x = f->uses[u].first; x != NONE; x = f->next[x])
			for (uint32_t y = f->next[x]; y != NONE; y = f->next[y]) {
				if (is_too_much(f, scope)) {
					f->c->cut = true;
					return;
				}
				meet(f, y, x, scope);
			}
}

void candidates_find(struct candidates *c, const struct trace *t, const struct carry *carry, const struct scope *scope)
{
	struct finder f = {.c = c};
	uint32_t end = scope->end;
	size_t size = 256;

	*c = (struct candidates){.wanted = calloc(end - carry->at + 1, sizeof(bool))};
	sweep_start(&f.s, t, carry, end);
	while (size < (size_t)(end - carry->at) * 2)
		size *= 2;
	table_start(&f.use_table, size);
	table_start(&f.alike_table, size);
	table_start(&f.pair_table, 64);
	f.uses = must_alloc((end - carry->at + 1) * sizeof *f.uses);
	c->cut = scope->deadline > 0 && f.s.segments_most * f.s.thread_count > CLOCKS_MOST;
	if (!c->cut) {
		collect(&f);
		find_meetings(&f, scope);
	}
	sweep_free(&f.s);
	free(f.use_table.slots);
	free(f.alike_table.slots);
	free(f.pair_table.slots);
	free(f.uses);
	free(f.next);
}

void candidates_free(struct candidates *c)
{
	for (uint32_t i = 0; i < c->alike_count; i++)
		free(c->alike[i].events);
	for (uint32_t i = 0; i < c->count; i++)
		free(c->list[i].meetings);
	free(c->alike);
	free(c->list);
	free(c->wanted);
}
