/*
 * Walks over the steps of an execution and keeps, for each word of memory, which places have accessed it by which
 * thread; each access then comes behind those of the others.  Accesses before the first thread and behind the last join
 * are no steps, and do not count: nothing could put them elsewhere.
 */
#include "classify/orders.h"

#include <stdlib.h>
#include <string.h>

#include "classify/encounters.h"
#include "report/race.h"

#define WORD_BYTES 8

/* A place that has accessed a word. */
struct visit {
	uint64_t word, key;
	uint32_t fiber, next; /* of those in the same bucket, counted from 1 */
};

static uint64_t key_of_access(const struct board_access *a)
{
	return encounter_key(access_place(a), a->flags & ACCESS_WRITE);
}

/* ---- the set of orders ---- */

static size_t slot_of(const struct orders *all, struct order o)
{
	size_t at = (size_t)((o.first * 0x9e3779b97f4a7c15u ^ o.second * 0xc2b2ae3d27d4eb4fu) >> 20) & (all->room - 1);

	while (all->list[at].first && memcmp(&all->list[at], &o, sizeof o))
		at = (at + 1) & (all->room - 1);
	return at;
}

static void grow(struct orders *all)
{
	struct orders old = *all;

	all->room = old.room ? 2 * old.room : 64;
	all->list = must_alloc(all->room * sizeof *all->list);
	memset(all->list, 0, all->room * sizeof *all->list);
	for (size_t i = 0; i < old.room; i++)
		if (old.list[i].first)
			all->list[slot_of(all, old.list[i])] = old.list[i];
	free(old.list);
}

void orders_insert(struct orders *all, struct order o)
{
	if (!o.first || !o.second)
		return;
	if (2 * all->count >= all->room)
		grow(all);
	struct order *at = &all->list[slot_of(all, o)];
	if (at->first)
		return;
	*at = o;
	all->count++;
}

static bool has_order(const struct orders *all, uint64_t first, uint64_t second)
{
	return all->room && first && second && all->list[slot_of(all, (struct order){first, second})].first;
}

/* ---- one execution ---- */

#define BUCKETS 4096

struct visits {
	struct visit *list;
	size_t count, room;
	uint32_t first[BUCKETS];
};

/* This word is accessed: behind whoever was there. */
static void visit(struct orders *all, struct visits *v, struct visit now)
{
	uint32_t *first = &v->first[now.word % BUCKETS];
	bool known = false;

	for (uint32_t i = *first; i; i = v->list[i - 1].next) {
		const struct visit *was = &v->list[i - 1];
		if (was->word != now.word)
			continue;
		if (was->fiber != now.fiber)
			orders_insert(all, (struct order){was->key, now.key});
		known |= was->fiber == now.fiber && was->key == now.key;
	}
	if (known)
		return;
	if (v->count == v->room) {
		v->room = v->room ? 2 * v->room : 64;
		v->list = must_resize(v->list, v->room * sizeof *v->list);
	}
	now.next = *first;
	v->list[v->count++] = now;
	*first = (uint32_t)v->count;
}

void orders_add(struct orders *all, const struct step_note *log, uint64_t count)
{
	struct visits v = {0};

	for (uint64_t i = 0; i < count; i++) {
		const struct step_note *s = &log[i];
		if (!step_is_memory(s))
			continue;
		for (uint64_t word = s->a / WORD_BYTES; word <= (s->a + s->b - 1) / WORD_BYTES; word++)
			visit(all, &v, (struct visit){word, encounter_key(s->site, step_writes(s)), s->fiber, 0});
	}
	free(v.list);
}

bool orders_have(const struct orders *all, const struct board_access *first, const struct board_access *second)
{
	return has_order(all, key_of_access(first), key_of_access(second));
}

bool orders_are_single(const struct orders *all, const struct board_access *a, const struct board_access *b)
{
	return key_of_access(a) != key_of_access(b) && orders_have(all, a, b) != orders_have(all, b, a);
}
