/*
 * The sync-preserving tier ("Optimal prediction of synchronization-preserving races", POPL 2021).
 *
 * Take the smallest closed set (closed_set.h) that has all that comes before each of two accesses. If it has neither of
 * the accesses, they race: the set can be run, and then both are next. The set grows with the accesses that it is for.
 * So one pass over two lists of accesses, both in order, finds whether any two of them race: take the first of each; if
 * the set has one of them, it has it for all later accesses of the other list, too, so drop that access and continue
 * with the same set. A list has the accesses of one thread to one variable, at one place and of one kind. To find
 * quickly that nothing races, the tier first takes the lists of all places of a thread as one.
 *
 * Of accesses between which their thread learns nothing and takes no lock only the last is needed: if an earlier one
 * races, so does the last, as the set then only gets what lies between them.
 */
#include <stdlib.h>
#include <string.h>

#include "predict/trace_accesses.h"
#include "predict/closed_set.h"
#include "predict/tiers.h"
#include "format/file.h"

#define NONE UINT32_MAX

/* Accesses of one thread to one variable: at one place and of one kind, or all its reads, or all its writes. */
struct access_list {
	uint32_t *at; /* in order; of several that are equivalent only the last */
	uint32_t count, capacity;
	uint32_t clock, held; /* what its thread knew and held before the last one */
	uint32_t location;
	uint16_t thread;
	uint8_t op;
	/*
	 * In the list of a place: the list of the thread's next place. In the list of a thread: the list of its first
	 * place.
	 */
	uint32_t next, first;
	struct common_locks locks;
};

struct access_lists {
	struct access_list *list;
	uint32_t count, capacity;
};

struct search {
	const struct trace *t;
	struct sections sections;
	struct closed_set needed;
	struct pairs *pairs;
	/* Of the current variable: */
	struct access_lists places, threads;
	uint32_t *slots; /* hash table of the places: index + 1 */
	size_t slot_count;
	/* Two for each thread, of its reads and of its writes: the index in `threads` + 1. */
	uint32_t *by_thread;
};

static void lists_free(struct access_lists *l)
{
	for (uint32_t i = 0; i < l->capacity; i++)
		free(l->list[i].at);
	free(l->list);
}

static uint32_t new_list(struct access_lists *l, const struct trace_event *n)
{
	if (l->count == l->capacity) {
		uint32_t capacity = l->capacity ? l->capacity * 2 : 8;
		l->list = must_resize(l->list, capacity * sizeof *l->list);
		memset(l->list + l->capacity, 0, (capacity - l->capacity) * sizeof *l->list);
		l->capacity = capacity;
	}
	struct access_list *new = &l->list[l->count];
	new->count = 0;
	new->thread = n->thread;
	new->location = n->location;
	new->op = n->op;
	new->next = new->first = NONE;
	return l->count++;
}

/* ---- the lists of a variable ---- */

static void list_add(const struct search *s, struct access_list *l, uint32_t event)
{
	uint32_t index = s->t->thread_index[event], clock = clocks_before(&s->sections.clocks, event);
	uint32_t held = index ? s->sections.held[s->t->thread_start[l->thread] + index - 1] : 0;

	if (l->count && l->clock == clock && l->held == held) {
		l->at[l->count - 1] = event;
		return;
	}
	common_locks_keep(&l->locks, &s->sections, event, !l->count);
	if (l->count == l->capacity) {
		l->capacity = l->capacity ? l->capacity * 2 : 4;
		l->at = must_resize(l->at, l->capacity * sizeof *l->at);
	}
	l->at[l->count++] = event;
	l->clock = clock;
	l->held = held;
}

static size_t first_slot(const struct search *s, uint32_t thread, uint32_t location, uint32_t op)
{
	uint64_t h = ((uint64_t)thread << 40 ^ (uint64_t)op << 34 ^ location) * 0x9e3779b97f4a7c15;

	return h >> 32 & (s->slot_count - 1);
}

static void fill_slot(struct search *s, uint32_t place)
{
	const struct access_list *l = &s->places.list[place];
	size_t at = first_slot(s, l->thread, l->location, l->op);

	while (s->slots[at])
		at = (at + 1) & (s->slot_count - 1);
	s->slots[at] = place + 1;
}

static struct access_list *thread_list(struct search *s, const struct trace_event *n)
{
	uint32_t *at = &s->by_thread[n->thread * 2u + event_is(n, IS_WRITE)];

	if (!*at)
		*at = new_list(&s->threads, n) + 1;
	return &s->threads.list[*at - 1];
}

static struct access_list *place_list(struct search *s, const struct trace_event *n, struct access_list *thread)
{
	size_t at = first_slot(s, n->thread, n->location, n->op);

	for (; s->slots[at]; at = (at + 1) & (s->slot_count - 1)) {
		struct access_list *l = &s->places.list[s->slots[at] - 1];
		if (l->thread == n->thread && l->location == n->location && l->op == n->op)
			return l;
	}
	uint32_t new = new_list(&s->places, n);
	struct access_list *l = &s->places.list[new];
	l->next = thread->first;
	thread->first = new;
	s->slots[at] = new + 1;
	if (s->places.count * 2 < s->slot_count)
		return l;
	s->slot_count *= 2;
	s->slots = must_resize(s->slots, s->slot_count * sizeof *s->slots);
	memset(s->slots, 0, s->slot_count * sizeof *s->slots);
	for (uint32_t i = 0; i < s->places.count; i++)
		fill_slot(s, i);
	return l;
}

static void build_lists(struct search *s, const uint32_t *accesses, uint32_t count)
{
	if (s->places.count * 8 < s->slot_count) {
		for (uint32_t i = 0; i < s->places.count; i++) {
			const struct access_list *l = &s->places.list[i];
			size_t at = first_slot(s, l->thread, l->location, l->op);
			/* This empties neighbouring slots, too: all entries are old. */
			for (; s->slots[at]; at = (at + 1) & (s->slot_count - 1))
				s->slots[at] = 0;
		}
	} else {
		memset(s->slots, 0, s->slot_count * sizeof *s->slots);
	}
	for (uint32_t i = 0; i < s->threads.count; i++) {
		const struct access_list *l = &s->threads.list[i];
		s->by_thread[l->thread * 2u + !!(ops[l->op].is & IS_WRITE)] = 0;
	}
	s->places.count = s->threads.count = 0;
	for (uint32_t i = 0; i < count; i++) {
		const struct trace_event *n = &s->t->events[accesses[i]];
		struct access_list *thread = thread_list(s, n);
		list_add(s, thread, accesses[i]);
		list_add(s, place_list(s, n, thread), accesses[i]);
	}
}

/* ---- races between lists ---- */

/* The index of the first access of a list, from `from` on, that is not in the closed set. */
static uint32_t skip_closed(const struct search *s, const struct access_list *l, uint32_t from)
{
	uint32_t step = 1, low = from, high, length = s->needed.length[l->thread];

	while (low < l->count && s->t->thread_index[l->at[low]] < length) {
		from = low + 1;
		low += step;
		step *= 2;
	}
	for (high = low < l->count ? low : l->count; from < high;) {
		uint32_t middle = from + (high - from) / 2;
		if (s->t->thread_index[l->at[middle]] < length)
			from = middle + 1;
		else
			high = middle;
	}
	return from;
}

/* Whether an access of `a` races with one of `b`, and which two. */
static bool find_race(struct search *s, const struct access_list *a, const struct access_list *b, uint32_t *first,
                      uint32_t *second)
{
	uint32_t i = 0, k = 0;

	if (common_locks_exclude(&a->locks, &b->locks))
		return false;
	closed_set_clear(&s->needed);
	for (;;) {
		closed_set_add_before(&s->needed, a->at[i]);
		closed_set_add_before(&s->needed, b->at[k]);
		closed_set_close(&s->needed);
		uint32_t next_i = skip_closed(s, a, i), next_k = skip_closed(s, b, k);
		if (next_i == i && next_k == k)
			break;
		if (next_i == a->count || next_k == b->count)
			return false;
		i = next_i;
		k = next_k;
	}
	*first = a->at[i];
	*second = b->at[k];
	return true;
}

static bool may_race(const struct search *s, const struct access_list *a, const struct access_list *b)
{
	return !(ops[a->op].is & ops[b->op].is & IS_ATOMIC) && !pairs_known(s->pairs, a->location, b->location);
}

/* How many pairs of places of two threads may race and are not known to: 0, 1, or 2 for more. */
static int count_open_pairs(const struct search *s, const struct access_list *a, const struct access_list *b)
{
	const struct access_list *list = s->places.list;
	int count = 0;

	for (uint32_t i = a->first; i != NONE; i = list[i].next)
		for (uint32_t k = b->first; k != NONE && count < 2; k = list[k].next)
			count += may_race(s, &list[i], &list[k]) &&
			         !common_locks_exclude(&list[i].locks, &list[k].locks);
	return count;
}

static void search_places(struct search *s, const struct access_list *a, const struct access_list *b)
{
	const struct access_list *list = s->places.list;
	uint32_t first, second;

	for (uint32_t i = a->first; i != NONE; i = list[i].next)
		for (uint32_t k = b->first; k != NONE; k = list[k].next)
			if (may_race(s, &list[i], &list[k]) && find_race(s, &list[i], &list[k], &first, &second))
				pairs_add(s->pairs, s->t, first, second, TIER_SYNC_PRESERVING);
}

/* Whether one lock protects all accesses to the variable. Most variables need no further search. */
static bool is_protected(const struct search *s)
{
	const struct common_locks *first = &s->threads.list[0].locks;

	for (uint32_t k = 0; k < first->count; k++) {
		uint32_t i = 0;
		for (; i < s->threads.count; i++) {
			const struct access_list *l = &s->threads.list[i];
			uint32_t at = 0;
			while (at < l->locks.count && l->locks.lock[at] != first->lock[k])
				at++;
			if (at == l->locks.count || (l->locks.shared[at] && ops[l->op].is & IS_WRITE))
				break;
		}
		if (i == s->threads.count)
			return true;
	}
	return false;
}

static void search_threads(struct search *s)
{
	uint32_t first, second;

	if (is_protected(s))
		return;
	for (uint32_t i = 0; i < s->threads.count; i++)
		for (uint32_t k = i + 1; k < s->threads.count; k++) {
			const struct access_list *a = &s->threads.list[i], *b = &s->threads.list[k];
			if (a->thread == b->thread || !((ops[a->op].is | ops[b->op].is) & IS_WRITE))
				continue;
			int open_pairs = count_open_pairs(s, a, b);
			if (open_pairs == 1 || (open_pairs && find_race(s, a, b, &first, &second)))
				search_places(s, a, b);
		}
}

/* ---- all variables ---- */

void predict_sync_preserving(const struct trace *t, struct pairs *pairs)
{
	uint32_t variables = t->objects[OBJECT_VARIABLE];
	uint32_t *start = must_alloc((variables + 3ul) * sizeof *start), *accesses = accesses_by_variable(t, start);
	struct search s = {.t = t, .pairs = pairs, .slot_count = 64};

	s.slots = must_alloc(s.slot_count * sizeof *s.slots);
	s.by_thread = must_alloc((t->objects[OBJECT_THREAD] * 2ul + 2) * sizeof *s.by_thread);
	sections_build(&s.sections, t);
	closed_set_start(&s.needed, &s.sections);
	for (uint32_t v = 0; v < variables; v++) {
		uint32_t count = start[v + 1] - start[v];
		if (!accesses_shared(t, accesses + start[v], count))
			continue;
		build_lists(&s, accesses + start[v], count);
		search_threads(&s);
	}
	closed_set_free(&s.needed);
	sections_free(&s.sections);
	lists_free(&s.places);
	lists_free(&s.threads);
	free(s.slots);
	free(s.by_thread);
	free(accesses);
	free(start);
}
