#include "predict/candidates.h"

#include <stdlib.h>
#include <string.h>

#include "predict/beyond_window.h"
#include "predict/seconds.h"
#include "format/file.h"

/* A hash table of numbers; the caller compares the entries. */
struct hash_table {
	uint32_t *slots; /* number + 1, 0 is free */
	size_t size, used;
};

static uint64_t mix(uint64_t h, uint64_t v)
{
	h = (h ^ v) * 0x9e3779b97f4a7c15;
	return h ^ h >> 32;
}

static void table_start(struct hash_table *t, size_t size)
{
	*t = (struct hash_table){.size = size, .slots = calloc(size, sizeof(uint32_t))};
	if (!t->slots)
		abort();
}

/* Must-happen-before and the sets of held locks, from the start of the window on. */
struct sweep {
	const struct trace *t;
	uint32_t start, end;
	uint32_t *thread_of; /* by thread of the trace: its number in the window */
	uint32_t thread_count;

	/*
	 * A segment is a piece of a thread without events that wait for other threads, except its first, or that others
	 * wait for, except its last. Either all of it comes before another segment or nothing. `before` has
	 * thread_count numbers for each segment: how many segments of each thread come before it.
	 */
	uint32_t *segment; /* by event */
	uint32_t *before;
	uint32_t *number; /* by segment: how many segments of its thread come before it */
	uint32_t segment_count, segment_capacity;
	/* The most segments that there can be. */
	size_t segments_most;
	uint32_t *current; /* by thread of the window: its segment so far */
	bool *is_awaited;  /* by event: others wait for it */

	/* Sets of locks: lock << 1 | shared, in rising order. */
	struct hash_table lockset_table;
	uint32_t *lockset_start, *lockset_locks;
	uint32_t lockset_count, lockset_capacity, lockset_used, lockset_locks_capacity;
	uint32_t *held; /* by thread of the window: the set of locks that it holds */
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

static void follow_segment(struct sweep *s, uint32_t segment, uint32_t event)
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

static bool segment_before(const struct sweep *s, const struct access_class *a, const struct access_class *b)
{
	return s->before[(size_t)b->segment * s->thread_count + s->thread_of[a->thread]] > s->number[a->segment];
}

static uint32_t lockset_intern(struct sweep *s, const uint32_t *locks, uint32_t count)
{
	uint64_t h = count;
	size_t at;

	for (uint32_t i = 0; i < count; i++)
		h = mix(h, locks[i]);
	for (at = h & (s->lockset_table.size - 1); s->lockset_table.slots[at];
	     at = (at + 1) & (s->lockset_table.size - 1)) {
		uint32_t set = s->lockset_table.slots[at] - 1;
		if (s->lockset_start[set + 1] - s->lockset_start[set] == count &&
		    !memcmp(s->lockset_locks + s->lockset_start[set], locks, count * sizeof *locks))
			return set;
	}
	if (s->lockset_count + 2 > s->lockset_capacity) {
		s->lockset_capacity = s->lockset_capacity * 2 + 64;
		s->lockset_start = must_resize(s->lockset_start, s->lockset_capacity * sizeof *s->lockset_start);
	}
	if (s->lockset_used + count > s->lockset_locks_capacity) {
		s->lockset_locks_capacity = (s->lockset_used + count) * 2 + 64;
		s->lockset_locks = must_resize(s->lockset_locks, s->lockset_locks_capacity * sizeof *s->lockset_locks);
	}
	if (count)
		memcpy(s->lockset_locks + s->lockset_used, locks, count * sizeof *locks);
	s->lockset_start[s->lockset_count] = s->lockset_used;
	s->lockset_start[s->lockset_count + 1] = s->lockset_used += count;
	s->lockset_table.slots[at] = s->lockset_count + 1;
	return s->lockset_count++;
}

static void lockset_change(struct sweep *s, uint32_t thread, uint32_t lock, bool add)
{
	uint32_t set = s->held[thread], count = s->lockset_start[set + 1] - s->lockset_start[set], n = 0;
	uint32_t *locks = must_alloc((count + 1) * sizeof *locks);
	bool done = false;

	for (uint32_t i = 0; i < count; i++) {
		uint32_t have = s->lockset_locks[s->lockset_start[set] + i];
		if (add && !done && have >= lock) {
			locks[n++] = lock;
			done = true;
		}
		if (have != lock)
			locks[n++] = have;
	}
	if (add && !done)
		locks[n++] = lock;
	s->held[thread] = lockset_intern(s, locks, n);
	free(locks);
}

/* Whether both sets have a lock, and one of them has it exclusively. */
static bool locksets_exclude(const struct sweep *s, uint32_t a, uint32_t b)
{
	uint32_t i = s->lockset_start[a], j = s->lockset_start[b];

	while (i < s->lockset_start[a + 1] && j < s->lockset_start[b + 1]) {
		uint32_t x = s->lockset_locks[i], y = s->lockset_locks[j];
		if (x >> 1 == y >> 1) {
			if (!(x & y & 1))
				return true;
			/* A set may have a lock both exclusive and shared; the shared entry comes after this one. */
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

static void sweep_start(struct sweep *s, const struct trace *t, const struct window_prefix *prefix, uint32_t end)
{
	uint32_t all = t->objects[OBJECT_THREAD];

	*s = (struct sweep){.t = t, .start = prefix->end, .end = end};
	s->thread_of = must_alloc((all + 1) * sizeof *s->thread_of);
	memset(s->thread_of, 0xff, all * sizeof *s->thread_of);
	s->is_awaited = calloc(end - s->start + 1, sizeof *s->is_awaited);
	s->segment = must_alloc((end - s->start + 1) * sizeof *s->segment);
	for (uint32_t i = s->start; i < end; i++) {
		const struct trace_event *e = &t->events[i];
		if (s->thread_of[e->thread] == NONE)
			s->thread_of[e->thread] = s->thread_count++;
		size_t count = 0;
		const struct edge *edges = e->flags & EVENT_EDGES ? trace_edges(t, i, &count) : NULL;
		for (size_t k = 0; k < count; k++)
			if (edges[k].before >= s->start)
				s->is_awaited[edges[k].before - s->start] = true;
		s->segments_most += count ? 1 + count : 0;
	}
	s->segments_most += s->thread_count;
	s->current = must_alloc((s->thread_count + 1) * sizeof *s->current);
	s->held = must_alloc((s->thread_count + 1) * sizeof *s->held);
	size_t size = 256;
	while (size < (size_t)(end - s->start) * 4)
		size *= 2;
	table_start(&s->lockset_table, size);
	uint32_t nothing = lockset_intern(s, NULL, 0);
	for (uint32_t i = 0; i < s->thread_count; i++) {
		s->current[i] = NONE;
		s->held[i] = nothing;
		new_segment(s, i);
	}
	for (uint32_t i = 0; i < prefix->held_count; i++) {
		const struct trace_event *e = &t->events[prefix->held[i]];
		if (s->thread_of[e->thread] != NONE)
			lockset_change(s, s->thread_of[e->thread], lock_of(e), true);
	}
}

static void sweep_free(struct sweep *s)
{
	free(s->thread_of);
	free(s->segment);
	free(s->before);
	free(s->number);
	free(s->current);
	free(s->is_awaited);
	free(s->lockset_table.slots);
	free(s->lockset_start);
	free(s->lockset_locks);
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
				follow_segment(s, segment, edges[k].before);
	}
	s->segment[i - s->start] = s->current[thread];
	if (s->is_awaited[i - s->start])
		new_segment(s, thread);
	if (e->flags & EVENT_NESTED || !event_is(e, IS_ACQUIRE | IS_RELEASE))
		return;
	if (event_is(e, IS_ACQUIRE))
		lockset_change(s, thread, lock_of(e), true);
	else if (e->match != NO_EVENT)
		lockset_change(s, thread, lock_of(&s->t->events[e->match]), false);
}

/* How the window uses a variable: whether several threads access it, and one writes. */
struct variable_use {
	uint32_t variable, thread;
	bool shared, written;
	uint32_t last_class; /* its newest access class; `older_class` leads to the others */
};

struct finder {
	struct candidates *c;
	struct sweep s;
	struct hash_table use_table, class_table, pair_table;
	struct variable_use *uses;
	uint32_t use_count;
	uint32_t *older_class; /* by access class: the class of its variable before it, or NONE */
	size_t meetings;
	uint32_t checks_left; /* how many checks may pass until the next look at the clock */
};

static struct variable_use *use_of(struct finder *f, uint32_t variable)
{
	size_t at = mix(1, variable) & (f->use_table.size - 1);

	for (; f->use_table.slots[at]; at = (at + 1) & (f->use_table.size - 1))
		if (f->uses[f->use_table.slots[at] - 1].variable == variable)
			return &f->uses[f->use_table.slots[at] - 1];
	f->uses[f->use_count] = (struct variable_use){.variable = variable, .thread = NONE, .last_class = NONE};
	f->use_table.slots[at] = ++f->use_count;
	return &f->uses[f->use_count - 1];
}

static struct access_class *class_of(struct finder *f, struct variable_use *u, const struct access_class *key)
{
	struct candidates *c = f->c;
	uint64_t h =
	        mix(mix(mix(mix(mix(key->op, key->variable), key->location), key->thread), key->segment), key->lockset);
	size_t at;

	for (at = h & (f->class_table.size - 1); f->class_table.slots[at]; at = (at + 1) & (f->class_table.size - 1)) {
		struct access_class *a = &c->classes[f->class_table.slots[at] - 1];
		if (a->op == key->op && a->variable == key->variable && a->location == key->location &&
		    a->thread == key->thread && a->segment == key->segment && a->lockset == key->lockset)
			return a;
	}
	if (c->class_count == c->class_capacity) {
		c->class_capacity = c->class_capacity * 2 + 64;
		c->classes = must_resize(c->classes, c->class_capacity * sizeof *c->classes);
		f->older_class = must_resize(f->older_class, c->class_capacity * sizeof *f->older_class);
	}
	c->classes[c->class_count] = *key;
	f->older_class[c->class_count] = u->last_class;
	u->last_class = c->class_count;
	f->class_table.slots[at] = ++c->class_count;
	return &c->classes[c->class_count - 1];
}

static void class_add(struct access_class *a, uint32_t event)
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
		struct hash_table bigger;
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

static void mark_candidates(struct finder *f, const struct access_class *a)
{
	for (uint32_t i = 0; i < a->count; i++)
		f->c->is_candidate[a->events[i] - f->s.start] = true;
}

/* Whether windows of this size have searched all meetings of two classes. */
static bool were_searched(const struct access_class *a, const struct access_class *b, uint32_t window)
{
	uint32_t a_first = a->events[0], a_last = a->events[a->count - 1];
	uint32_t b_first = b->events[0], b_last = b->events[b->count - 1];

	return !(a_first < b_last && is_beyond_window(window, a_first, b_last)) &&
	       !(b_first < a_last && is_beyond_window(window, b_first, a_last));
}

static void add_meeting(struct finder *f, uint32_t x, uint32_t y, const struct candidate_scope *scope)
{
	const struct access_class *a = &f->c->classes[x], *b = &f->c->classes[y];
	struct trace_event one = {.object = a->variable, .thread = (uint16_t)a->thread, .op = a->op};
	struct trace_event two = {.object = b->variable, .thread = (uint16_t)b->thread, .op = b->op};
	struct candidate *p;

	if (!events_conflict(&one, &two) || pairs_known(scope->known, a->location, b->location))
		return;
	if (a->events[a->count - 1] < scope->searched_until && b->events[b->count - 1] < scope->searched_until)
		return;
	if (scope->searched_window && were_searched(a, b, scope->searched_window))
		return;
	if (segment_before(&f->s, a, b) || segment_before(&f->s, b, a) ||
	    locksets_exclude(&f->s, a->lockset, b->lockset))
		return;
	p = candidate_of(f, a->location, b->location);
	if (p->count == p->capacity) {
		p->capacity = p->capacity * 2 + 4;
		p->meetings = must_resize(p->meetings, p->capacity * sizeof *p->meetings);
	}
	p->meetings[p->count][0] = x;
	p->meetings[p->count++][1] = y;
	f->meetings++;
	mark_candidates(f, a);
	mark_candidates(f, b);
}

static void classify_accesses(struct finder *f)
{
	const struct trace *t = f->s.t;

	for (uint32_t i = f->s.start; i < f->s.end; i++) {
		const struct trace_event *e = &t->events[i];
		if (!event_is_access(e))
			continue;
		struct variable_use *u = use_of(f, e->object);
		u->shared |= u->thread != NONE && u->thread != e->thread;
		u->thread = e->thread;
		u->written |= event_is(e, IS_WRITE);
	}
	for (uint32_t i = f->s.start; i < f->s.end; i++) {
		const struct trace_event *e = &t->events[i];
		sweep_event(&f->s, i);
		if (!event_is_access(e))
			continue;
		struct variable_use *u = use_of(f, e->object);
		if (!u->shared || !u->written)
			continue;
		struct access_class key = {.variable = e->object,
		                           .location = e->location,
		                           .thread = e->thread,
		                           .segment = f->s.segment[i - f->s.start],
		                           .lockset = f->s.held[f->s.thread_of[e->thread]],
		                           .op = e->op};
		class_add(class_of(f, u, &key), i);
	}
}

/* The limits of memory: clocks of all segments, and meetings. The clock is read once in this many checks. */
#define CLOCKS_MOST      (1ul << 27)
#define MEETINGS_MOST    (1ul << 22)
#define CHECKS_PER_CLOCK 4096

static bool is_too_much(struct finder *f, const struct candidate_scope *scope)
{
	if (scope->deadline <= 0)
		return false;
	if (f->checks_left--)
		return f->meetings > MEETINGS_MOST;
	f->checks_left = CHECKS_PER_CLOCK;
	return seconds_now() > scope->deadline;
}

static void find_meetings(struct finder *f, const struct candidate_scope *scope)
{
	for (uint32_t u = 0; u < f->use_count; u++)
		for (uint32_t x = f->uses[u].last_class; x != NONE; x = f->older_class[x])
			for (uint32_t y = f->older_class[x]; y != NONE; y = f->older_class[y]) {
				if (is_too_much(f, scope)) {
					f->c->incomplete = true;
					return;
				}
				add_meeting(f, y, x, scope);
			}
}

void candidates_find(struct candidates *c, const struct trace *t, const struct window_prefix *prefix,
                     const struct candidate_scope *scope)
{
	struct finder f = {.c = c};
	uint32_t end = scope->end;
	size_t size = 256;

	*c = (struct candidates){.is_candidate = calloc(end - prefix->end + 1, sizeof(bool))};
	sweep_start(&f.s, t, prefix, end);
	while (size < (size_t)(end - prefix->end) * 2)
		size *= 2;
	table_start(&f.use_table, size);
	table_start(&f.class_table, size);
	table_start(&f.pair_table, 64);
	f.uses = must_alloc((end - prefix->end + 1) * sizeof *f.uses);
	c->incomplete = scope->deadline > 0 && f.s.segments_most * f.s.thread_count > CLOCKS_MOST;
	if (!c->incomplete) {
		classify_accesses(&f);
		find_meetings(&f, scope);
	}
	sweep_free(&f.s);
	free(f.use_table.slots);
	free(f.class_table.slots);
	free(f.pair_table.slots);
	free(f.uses);
	free(f.older_class);
}

void candidates_free(struct candidates *c)
{
	for (uint32_t i = 0; i < c->class_count; i++)
		free(c->classes[i].events);
	for (uint32_t i = 0; i < c->count; i++)
		free(c->list[i].meetings);
	free(c->classes);
	free(c->list);
	free(c->is_candidate);
}
