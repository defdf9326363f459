/*
 * Which two accesses of an evidence are the race's, and do they show that a lock is missing?
 *
 * Several threads may make the same accesses. The two are by different threads, in the order that the verdict is about.
 * Of several such pairs the best one cuts a region in two; the next best has nothing between its accesses.
 *
 * A region is what one thread does with the bytes until it comes to the same place again: a read-modify-write, or a
 * check and what follows from it. With a lock around each region, whole regions would follow each other. An access of
 * another thread between two accesses of a region could as well come before or after the region, except in four cases:
 * a write between two reads, between a read and a write, or between a write and a read; a read between two writes (the
 * unserialisable cases of Lu et al., "AVIO", ASPLOS 2006).
 */
#include "classify/racing_pair.h"

#include <stdlib.h>

#define PLACES 16 /* of a region, at most */
#define AROUND 64 /* accesses before and after the pair that may be part of their regions */

static bool is_write(const struct event *e) { return e->flags & (ACCESS_WRITE | ACCESS_FREE); }

/* If an access has no site, its event has an address of code. */
static bool is_at(const struct event *e, uint64_t site)
{
	return e->kind == EVENT_ACCESS && (e->where & 1 ? !site : e->where == site);
}

static bool overlap(const struct event *a, const struct event *b)
{
	return a->object < b->object + b->size && b->object < a->object + a->size;
}

static bool is_unserialisable(const struct event *a, const struct event *between, const struct event *b)
{
	if (is_write(between))
		return !(is_write(a) && is_write(b));
	return is_write(a) && is_write(b);
}

static const struct event *event_of(const struct verdict *v, size_t i) { return &v->moments[i].event; }

/* The access `at` cuts in two a region that contains the access `inside` of another thread. */
static bool is_cut(const struct verdict *v, size_t at, size_t inside)
{
	const struct event *cut = event_of(v, at), *a = event_of(v, inside);
	size_t step = inside < at ? 1 : (size_t)-1, n = 0; /* towards the other side of `at` */
	uint64_t places[PLACES];

	for (size_t i = inside; i < v->nmoments; i += step) {
		const struct event *b = event_of(v, i);
		if (b->kind != EVENT_ACCESS || b->fiber != a->fiber)
			continue;
		for (size_t k = 0; k < n; k++)
			if (places[k] == b->where)
				return false;
		if (n == PLACES)
			return false;
		places[n++] = b->where;
		bool behind = inside < at ? i > at : i < at;
		if (behind && overlap(b, cut) &&
		    (inside < at ? is_unserialisable(a, cut, b) : is_unserialisable(b, cut, a)))
			return true;
	}
	return false;
}

static bool is_adjacent(const struct verdict *v, size_t first, size_t second)
{
	for (size_t i = first + 1; i < second; i++)
		if (event_of(v, i)->kind == EVENT_ACCESS)
			return false;
	return true;
}

enum { ANY = 1, ADJACENT, CUTS };

static int score(const struct verdict *v, size_t first, size_t second)
{
	if (is_cut(v, first, second) || is_cut(v, second, first))
		return CUTS;
	return is_adjacent(v, first, second) ? ADJACENT : ANY;
}

/* The last access before `second` at this site by another thread; `second` itself: there is none. */
static size_t partner_of(const struct verdict *v, uint64_t site, size_t second)
{
	const struct event *b = event_of(v, second);

	for (size_t i = second; i-- > 0;)
		if (is_at(event_of(v, i), site) && event_of(v, i)->fiber != b->fiber && overlap(event_of(v, i), b))
			return i;
	return second;
}

/* If the violation is the second access itself, there may be no moment of it. */
static void take_missing_second(struct verdict *v, uint64_t site)
{
	const struct board_result *r = v->alternate->result;

	for (size_t i = v->nmoments; i-- > 0 && v->kind == VERDICT_SPEC && r->nstacks;)
		if (is_at(event_of(v, i), site) && event_of(v, i)->fiber != r->stacks[0].fiber) {
			v->pair[0] = i;
			v->pair[1] = v->nmoments;
			return;
		}
}

void racing_pair_find(const struct finding *f, struct verdict *v)
{
	bool recorded = f->plan.order == PLAN_FIRST;
	uint64_t site[2] = {recorded ? f->site : f->plan.site, recorded ? f->plan.site : f->site};
	int best = 0;

	v->pair[0] = v->pair[1] = 0;
	v->cuts = false;
	for (size_t i = 0; i < v->nmoments && f->plan.order != PLAN_RECORDED; i++) {
		size_t partner = is_at(event_of(v, i), site[1]) ? partner_of(v, site[0], i) : i;
		int is = partner < i ? score(v, partner, i) : 0;
		/* of equal pairs: the last one before a violation, otherwise the first one */
		if (is > best || (is && is == best && v->kind == VERDICT_SPEC)) {
			best = is;
			v->pair[0] = partner;
			v->pair[1] = i;
		}
	}
	v->cuts = best == CUTS;
	if (!best && f->plan.order != PLAN_RECORDED)
		take_missing_second(v, site[0]);
}

static void add_touch(struct verdict *v, const struct board_touch *t)
{
	uint32_t bytes = t->bytes ? t->bytes : 1, first = (uint32_t)__builtin_ctz(bytes);

	v->moments[v->nmoments++].event = (struct event){.kind = EVENT_ACCESS,
	                                                 .fiber = t->fiber,
	                                                 .flags = (uint8_t)t->flags,
	                                                 .where = t->site,
	                                                 .object = t->address + first,
	                                                 .size = (uint16_t)(32 - __builtin_clz(bytes) - (int)first)};
}

/* The touches of one word; `list` has room for all. */
static size_t touches_of(const struct execution *x, uint64_t address, const struct board_touch **list)
{
	size_t n = 0;

	for (uint32_t i = 0; i < x->ntouches; i++)
		if (x->touches[i].address == address)
			list[n++] = &x->touches[i];
	return n;
}

bool racing_pair_cuts_region(const struct execution *x, const struct board_instance *at)
{
	const struct board_touch **list = must_alloc((x->ntouches + 1) * sizeof *list);
	size_t n = touches_of(x, at->address, list), a = at->touch[0] - 1, b = at->touch[1] - 1;
	struct verdict v = {0};
	bool cuts = false;

	if (a < b && b < n && b - a <= AROUND && list[a]->fiber == at->fiber[0] && list[b]->fiber == at->fiber[1]) {
		v.moments = must_alloc(3 * AROUND * sizeof *v.moments);
		for (size_t i = a > AROUND ? a - AROUND : 0; i < a; i++)
			add_touch(&v, list[i]);
		for (size_t i = a + 1; i <= b; i++) /* the held thread makes none of them */
			if (list[i]->fiber != at->fiber[0])
				add_touch(&v, list[i]);
		v.pair[1] = v.nmoments;
		v.pair[0] = v.nmoments - 1;
		add_touch(&v, list[a]);
		for (size_t i = a + 1; i < n && v.nmoments < 3 * AROUND; i++)
			if (i > b || list[i]->fiber == at->fiber[0])
				add_touch(&v, list[i]);
		cuts = score(&v, v.pair[0], v.pair[1]) == CUTS;
	}
	free(v.moments);
	free(list);
	return cuts;
}
