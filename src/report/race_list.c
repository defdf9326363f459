#include "report/race_list.h"

#include "report/optimised.h"
#include "report/verdict.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Whether an access is of this kind and at this place. */
static bool access_is(const struct board_access *a, uint64_t place, uint32_t flags)
{
	return access_place(a) == place && (a->flags & ACCESS_KIND) == (flags & ACCESS_KIND);
}

bool race_is(const struct board_race *r, const uint64_t place[2], const uint32_t flags[2])
{
	const struct board_access *a = r->access;

	return (access_is(&a[0], place[0], flags[0]) && access_is(&a[1], place[1], flags[1])) ||
	       (access_is(&a[0], place[1], flags[1]) && access_is(&a[1], place[0], flags[0]));
}

/* The bucket is the same for either order of the accesses. */
static uint32_t bucket_of(const struct board_race *r)
{
	const struct board_access *a = r->access;
	uint64_t mix = (access_place(&a[0]) + access_place(&a[1])) * 0x9e3779b97f4a7c15u;

	return (uint32_t)((mix >> 40) + (a[0].flags & ACCESS_KIND) + (a[1].flags & ACCESS_KIND)) % RACE_BUCKETS;
}

static struct race *find(const struct races *all, const struct board_race *seen)
{
	const struct board_access *a = seen->access;

	for (struct race *r = all->buckets[bucket_of(seen)]; r; r = r->next)
		if (race_is(&r->seen, (uint64_t[]){access_place(&a[0]), access_place(&a[1])},
		            (uint32_t[]){a[0].flags, a[1].flags}))
			return r;
	return NULL;
}

/* Copies a race from the board.  The program could write on the board, so no count in it is trusted. */
static struct board_race race_copy(const struct board_race *from, uint64_t seed, bool explained)
{
	struct board_race r = *from;

	r.seed = seed;
	r.explained = explained;
	for (int i = 0; i < 2; i++)
		if (r.access[i].nlocks > BOARD_LOCKS)
			r.access[i].nlocks = BOARD_LOCKS;
	return r;
}

/* Two reads do not race: if the board has such a race, the program has written on the board. */
static bool is_race(const struct board_race *r)
{
	return (r->access[0].flags | r->access[1].flags) & (ACCESS_WRITE | ACCESS_FREE);
}

static uint32_t race_count(const struct board *b) { return b->nraces < BOARD_RACES ? b->nraces : BOARD_RACES; }

/* The last race of an execution frees it. */
static void leave_execution(struct race *r)
{
	if (r->execution && !--r->execution->races)
		execution_free(r->execution);
	r->execution = NULL;
}

/* From here on `r` is the race as it was seen in `x`. */
static void describe(struct race *r, const struct board_race *seen, struct execution *x)
{
	x->races++;
	leave_execution(r);
	r->seen = *seen;
	r->execution = x;
}

static struct race *add(struct races *all, const struct board_race *seen)
{
	struct race *r = must_alloc(sizeof *r), **bucket = &all->buckets[bucket_of(seen)];

	all->list = must_resize(all->list, (all->count + 1) * sizeof *all->list);
	r->next = *bucket;
	return all->list[all->count++] = *bucket = r;
}

static void race_free(struct race *r)
{
	leave_execution(r);
	free(r->evidence);
	verdict_free(r->verdict);
	optimised_free(r->optimised);
	free(r);
}

uint32_t races_take(struct races *all, const struct board *b, uint32_t from)
{
	uint32_t count = race_count(b);
	struct execution *x = NULL;

	for (uint32_t i = from; i < count; i++) {
		struct board_race seen = race_copy(&b->races[i], b->result.seed, false);
		struct race *r = find(all, &seen);
		if (!is_race(&seen) || (r && r->seen.seed <= seen.seed))
			continue;
		if (!x)
			x = execution_take(b);
		describe(r ? r : add(all, &seen), &seen, x);
	}
	return count;
}

void races_count(struct races *all, const struct board *b)
{
	uint32_t count = race_count(b);

	for (uint32_t i = 0; i < count; i++) {
		struct race *r = find(all, &b->races[i]);
		if (!r)
			continue;
		r->instances += b->races[i].instances;
		r->executions += b->races[i].executions;
	}
	all->lost += b->races_lost;
}

static bool overlap(const struct board_access *a, const struct board_access *b)
{
	return a->address < b->address + (b->size ? b->size : 1) && b->address < a->address + (a->size ? a->size : 1);
}

/*
 * The explained race that belongs to `r`, whose earlier access has no site: it has the later access of `r`.  A race
 * with bytes of `r` goes first.  If there is none, a race with other bytes is the one: the replay reports each distinct
 * pair once, with the bytes it saw first.
 */
static const struct board_race *explained_race(const struct board *b, const struct race *r)
{
	const struct board_access *later = &r->seen.access[1];
	const struct board_race *elsewhere = NULL;

	for (uint32_t i = 0; i < race_count(b); i++)
		for (int k = 0; k < 2; k++) {
			const struct board_access *a = &b->races[i].access[k];
			if (!b->races[i].explained || !access_is(a, access_place(later), later->flags))
				continue;
			if (overlap(a, later))
				return &b->races[i];
			elsewhere = &b->races[i];
		}
	return elsewhere;
}

static void remove_at(struct races *all, size_t index)
{
	struct race **place = &all->buckets[bucket_of(&all->list[index]->seen)];

	while (*place != all->list[index])
		place = &(*place)->next;
	*place = (*place)->next;
	race_free(all->list[index]);
	all->count--;
	memmove(all->list + index, all->list + index + 1, (all->count - index) * sizeof *all->list);
}

/*
 * Removes the races of `x` that have no site for the earlier access and belong to an explained race: that one stands
 * for them.
 */
static void drop_half_known(struct races *all, const struct execution *x, const struct board *b)
{
	for (size_t i = 0; i < all->count;) {
		struct race *r = all->list[i];
		bool half_known = r->execution == x && !r->seen.explained && !r->seen.access[0].site;
		const struct board_race *full = half_known ? explained_race(b, r) : NULL;
		struct race *explained = full ? find(all, full) : NULL;
		if (!explained || explained == r) {
			i++;
			continue;
		}
		explained->instances += r->instances;
		if (explained->executions < r->executions)
			explained->executions = r->executions;
		remove_at(all, i);
	}
}

void races_explain(struct races *all, struct execution *x, const struct board *b, bool whole)
{
	uint32_t count = race_count(b);
	uint64_t seed = x->result->seed;

	execution_explain(x, b);
	x->races++; /* keeps `x` while its races may go to another execution */
	for (uint32_t i = 0; i < count; i++) {
		if (!b->races[i].explained || !is_race(&b->races[i]))
			continue;
		struct board_race seen = race_copy(&b->races[i], seed, true);
		struct race *r = find(all, &seen);
		if (!r && whole) {
			r = add(all, &seen);
			r->instances = seen.instances;
			r->executions = seen.executions;
			describe(r, &seen, x);
		} else if (r && (whole || r->execution == x) && (!r->seen.explained || seed < r->seen.seed)) {
			describe(r, &seen, x);
		}
	}
	if (whole)
		drop_half_known(all, x, b);
	if (!--x->races)
		execution_free(x);
}

void races_free(struct races *all)
{
	for (size_t i = 0; i < all->count; i++)
		race_free(all->list[i]);
	free(all->list);
	*all = (struct races){0};
}
