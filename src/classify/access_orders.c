/*
 * Walks over the steps of an execution and keeps for each word of memory which places have accessed it, by thread. Each
 * access then comes after the earlier ones of other threads. Accesses before the first thread and after the last join
 * are no steps and do not count: no interleaving could move them.
 */
#include "classify/access_orders.h"

#include <stdlib.h>
#include <string.h>

#include "classify/encounters.h"
#include "report/race_list.h"

#define WORD_BYTES 8

/* This bit is inverted in the first key of an order that one execution kept to its end at one word. */
#define FOR_GOOD (1ul << 63)

/* A place that has accessed a word. */
struct visit {
	uint64_t word, key;
	uint32_t fiber, next; /* the next visit in the same bucket, counted from 1 */
	uint64_t begin, end;  /* the first and the last step that did so */
};

static uint64_t key_of_access(const struct board_access *a)
{
	return encounter_key(access_place(a), a->flags & ACCESS_WRITE);
}

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

#define BUCKETS 4096

struct visits {
	struct visit *list;
	size_t count, room;
	uint32_t first[BUCKETS];
};

/* Notes an access to this word: it comes after all earlier visits of other threads. */
static void visit(struct orders *all, struct visits *v, struct visit now)
{
	uint32_t *first = &v->first[now.word % BUCKETS];
	bool known = false;

	for (uint32_t i = *first; i; i = v->list[i - 1].next) {
		struct visit *was = &v->list[i - 1];
		if (was->word != now.word)
			continue;
		if (was->fiber != now.fiber) {
			orders_insert(all, (struct order){was->key, now.key});
		} else if (was->key == now.key) {
			known = true;
			was->end = now.end;
		}
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

/* The threads that are known to have come to their end, as bits: the main one and those that were joined. */
static uint64_t ended_fibers(const struct step_note *log, uint64_t count)
{
	uint64_t ended = 1;

	for (uint64_t i = 0; i < count; i++)
		if (log[i].kind == STEP_JOIN && log[i].a < STEP_FIBERS)
			ended |= 1ul << log[i].a;
	return ended;
}

/* No thread comes to the place of `a` after another thread has been at the place of `b`. */
static bool never_follows(const struct visits *v, const struct visit *a, const struct visit *b)
{
	for (uint32_t i = v->first[a->word % BUCKETS]; i; i = v->list[i - 1].next)
		for (uint32_t k = v->first[a->word % BUCKETS]; k; k = v->list[k - 1].next) {
			const struct visit *x = &v->list[i - 1], *y = &v->list[k - 1];
			if (x->word == a->word && y->word == a->word && x->key == a->key && y->key == b->key &&
			    x->fiber != y->fiber && y->begin < x->end)
				return false;
		}
	return true;
}

/*
 * Finds threads that came to this word, went on and came to their end, before another thread was here for the first
 * time.
 */
static void find_leavers(struct orders *all, const struct visits *v, const struct visit *now, uint64_t ended)
{
	for (uint32_t i = v->first[now->word % BUCKETS]; i; i = v->list[i - 1].next) {
		const struct visit *was = &v->list[i - 1];
		if (was->word == now->word && was->fiber != now->fiber && was->end < now->begin &&
		    was->fiber < STEP_FIBERS && ended >> was->fiber & 1 && never_follows(v, was, now))
			orders_insert(all, (struct order){was->key ^ FOR_GOOD, now->key});
	}
}

void orders_add(struct orders *all, const struct step_note *log, uint64_t count, bool ends)
{
	struct visits v = {0};
	uint64_t ended = ended_fibers(log, count);

	for (uint64_t i = 0; i < count; i++) {
		const struct step_note *s = &log[i];
		if (!step_is_memory(s))
			continue;
		struct visit now = {
		        .key = encounter_key(s->site, step_writes(s)), .fiber = s->fiber, .begin = i, .end = i};
		for (now.word = s->a / WORD_BYTES; now.word <= (s->a + s->b - 1) / WORD_BYTES; now.word++)
			visit(all, &v, now);
	}
	for (size_t i = 0; i < v.count && ends; i++)
		find_leavers(all, &v, &v.list[i], ended);
	free(v.list);
}

bool orders_have(const struct orders *all, const struct board_access *first, const struct board_access *second)
{
	return has_order(all, key_of_access(first), key_of_access(second));
}

bool orders_first_goes_on(const struct orders *all, const struct board_access *first, const struct board_access *second)
{
	uint64_t key = key_of_access(first);

	return key && has_order(all, key ^ FOR_GOOD, key_of_access(second));
}

bool orders_are_single(const struct orders *all, const struct board_access *a, const struct board_access *b)
{
	return key_of_access(a) != key_of_access(b) && orders_have(all, a, b) != orders_have(all, b, a);
}
