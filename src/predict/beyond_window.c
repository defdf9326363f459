#include "predict/beyond_window.h"

#include <stdlib.h>

#include "predict/trace_accesses.h"
#include "predict/closed_set.h"
#include "format/file.h"

#define STEPS_MOST (1ul << 27) /* takes a second or two */
#define PAIRS_MOST 100000

struct access {
	uint64_t key; /* thread, place and kind */
	uint32_t event;
};

/* The accesses of one thread to one variable, at one place and of one kind, in order. */
struct access_group {
	const struct access *at;
	uint32_t count;
	const struct trace_event *first; /* the others differ from it in their time only */
	struct common_locks locks;
};

struct search {
	const struct trace *t;
	const struct pairs *known;
	struct pairs *far;
	uint32_t window;
	struct clocks clocks; /* must-happen-before */
	struct sections sections;
	/* Of the current variable: */
	struct access *accesses;
	struct access_group *groups;
	uint32_t count, group_count;
	uint32_t capacity;
	uint64_t steps; /* how many accesses were compared so far */
};

static int by_key(const void *a, const void *b)
{
	const struct access *x = a, *y = b;

	if (x->key != y->key)
		return x->key < y->key ? -1 : 1;
	return (x->event > y->event) - (x->event < y->event);
}

static void make_groups(struct search *s, const uint32_t *events, uint32_t count)
{
	if (count > s->capacity) {
		s->capacity = count;
		s->accesses = must_resize(s->accesses, count * sizeof *s->accesses);
		s->groups = must_resize(s->groups, count * sizeof *s->groups);
	}
	for (uint32_t i = 0; i < count; i++) {
		const struct trace_event *n = &s->t->events[events[i]];
		s->accesses[i] = (struct access){.key = (uint64_t)n->thread << 48 | (uint64_t)n->location << 8 | n->op,
		                                 .event = events[i]};
	}
	qsort(s->accesses, count, sizeof *s->accesses, by_key);
	s->group_count = 0;
	for (uint32_t i = 0; i < count; i++) {
		bool first = !i || s->accesses[i].key != s->accesses[i - 1].key;
		if (first)
			s->groups[s->group_count++] = (struct access_group){
			        .at = &s->accesses[i], .first = &s->t->events[s->accesses[i].event]};
		struct access_group *g = &s->groups[s->group_count - 1];
		g->count++;
		if (first || g->locks.count)
			common_locks_keep(&g->locks, &s->sections, s->accesses[i].event, first);
	}
}

/*
 * Whether an access of `a` comes far before one of `b`, without having to. Of the accesses that do not have to come
 * before a later one, the first is the furthest away; it moves forward as the later one does.
 */
static bool can_be_far_before(struct search *s, const struct access_group *a, const struct access_group *b,
                              uint32_t event[2])
{
	uint32_t first = a->at[0].event, last = b->at[b->count - 1].event;

	if (first > last || !is_beyond_window(s->window, first, last))
		return false;
	s->steps += a->count + b->count;
	for (uint32_t i = 0, k = 0; k < b->count; k++) {
		uint32_t later = b->at[k].event;
		uint32_t first_free = clocks_get(&s->clocks, clocks_before(&s->clocks, later), a->first->thread);
		while (i < a->count && s->t->thread_index[a->at[i].event] < first_free)
			i++;
		if (i == a->count)
			return false;
		if (a->at[i].event < later && is_beyond_window(s->window, a->at[i].event, later)) {
			event[0] = a->at[i].event;
			event[1] = later;
			return true;
		}
	}
	return false;
}

static void compare(struct search *s, const struct access_group *a, const struct access_group *b)
{
	uint32_t event[2], x = a->first->location, y = b->first->location;

	if (!events_conflict(a->first, b->first) || common_locks_exclude(&a->locks, &b->locks) ||
	    pairs_known(s->known, x, y) || pairs_known(s->far, x, y))
		return;
	if (can_be_far_before(s, a, b, event) || can_be_far_before(s, b, a, event))
		pairs_add(s->far, s->t, event[0], event[1], TIER_MAXIMAL);
}

static void search_variable(struct search *s, const uint32_t *events, uint32_t count)
{
	if (!is_beyond_window(s->window, events[0], events[count - 1]) || !accesses_shared(s->t, events, count))
		return;
	make_groups(s, events, count);
	for (uint32_t i = 0; i < s->group_count && s->steps < STEPS_MOST; i++) {
		s->steps += s->group_count - i;
		for (uint32_t k = i + 1; k < s->group_count && s->far->count < PAIRS_MOST; k++)
			compare(s, &s->groups[i], &s->groups[k]);
	}
}

bool beyond_window_find(const struct trace *t, uint32_t window, const struct pairs *known, struct pairs *far)
{
	struct search s = {.t = t, .known = known, .far = far, .window = window};
	uint32_t variables = t->objects[OBJECT_VARIABLE];

	if (t->count <= window)
		return true;
	uint32_t *start = must_alloc((variables + 3ul) * sizeof *start), *events = accesses_by_variable(t, start);
	clocks_build(&s.clocks, t, CLOCKS_EDGES);
	sections_build_held(&s.sections, t);
	for (uint32_t v = 0; v < variables; v++)
		if (start[v + 1] > start[v])
			search_variable(&s, events + start[v], start[v + 1] - start[v]);
	sections_free(&s.sections);
	clocks_free(&s.clocks);
	free(s.accesses);
	free(s.groups);
	free(events);
	free(start);
	return s.steps < STEPS_MOST && far->count < PAIRS_MOST;
}
