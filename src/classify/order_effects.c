#include "classify/order_effects.h"

#include <stdlib.h>
#include <string.h>

#include "classify/encounters_data.h"
#include "report/race_list.h"

#define CHECKS_MOST 100000000ul /* pairs of executions that are compared */

static uint64_t key_of(const struct board_access *a) { return encounter_key(access_place(a), a->flags & ACCESS_WRITE); }

static struct effect *find_effect(const struct effects *all, uint64_t key, uint64_t other)
{
	uint64_t low = key < other ? key : other, high = key < other ? other : key;

	for (size_t i = 0; i < all->count; i++)
		if (all->list[i].key[0] == low && all->list[i].key[1] == high)
			return &all->list[i];
	return NULL;
}

static struct effect *effect_of(struct effects *all, uint64_t key, uint64_t other)
{
	struct effect *e = find_effect(all, key, other);

	if (e)
		return e;
	all->list = must_resize(all->list, (all->count + 1) * sizeof *all->list);
	e = &all->list[all->count++];
	*e = (struct effect){.key = {key < other ? key : other, key < other ? other : key},
	                     .execution = {NO_EXAMPLE, NO_EXAMPLE}};
	return e;
}

static bool same_violation(struct violation a, struct violation b)
{
	return trial_same_violation(&(struct trial){.ending = a.ending, .signature = a.signature},
	                            &(struct trial){.ending = b.ending, .signature = b.signature});
}

static void add_violation(struct effect *f, struct violation v)
{
	if (effect_decides(f, v.ending, v.signature))
		return;
	f->violations = must_resize(f->violations, (f->nviolations + 1) * sizeof v);
	f->violations[f->nviolations++] = v;
}

/* An execution that fails ends before all is done: the steps that it has come before those that it lacks. */
static void complete_orders(struct encounters *m)
{
	for (size_t i = 0; i < m->ntraces; i++) {
		struct traced_execution *t = &m->traces[i];
		for (uint32_t p = 0; p < m->npairs && t->fails.ending; p++) {
			bool has_first = has_bit(t->steps, m->pairs[p].step[0]),
			     has_other = has_bit(t->steps, m->pairs[p].step[1]);
			if (has_bit(t->has_pair, p) || has_first == has_other)
				continue;
			set_bit(t->has_pair, p);
			if (has_other)
				set_bit(t->reversed, p);
		}
	}
}

/* All of `part` is in `whole`. */
static bool is_in(const uint64_t *part, const uint64_t *whole)
{
	for (size_t i = 0; i < ENCOUNTER_STEPS / 64; i++)
		if (part[i] & ~whole[i])
			return false;
	return true;
}

/* The other execution has the same past: all its steps, in the same order. */
static bool has_past(const struct encounters *m, const struct encounter_group *e, const struct traced_execution *one,
                     const struct traced_execution *other)
{
	if (!is_in(e->past_steps, other->steps))
		return false;
	uint64_t so_far[ENCOUNTER_STEPS / 64];
	memcpy(so_far, e->past_steps, sizeof so_far);
	for (int k = 0; k < 2; k++) /* these two come after it */
		set_bit(so_far, m->pairs[e->pair].step[k]);
	for (uint32_t p = 0; p < m->npairs; p++)
		if (p != e->pair && has_bit(so_far, m->pairs[p].step[0]) && has_bit(so_far, m->pairs[p].step[1]) &&
		    (has_bit(one->has_pair, p) != has_bit(other->has_pair, p) ||
		     has_bit(one->reversed, p) != has_bit(other->reversed, p)))
			return false;
	return true;
}

/* In this execution, the step comes before a step of the encounter's past. */
static bool is_before(const struct encounter_group *e, const struct traced_execution *t, uint32_t step)
{
	for (size_t i = 0; i < t->npast; i++)
		if (has_bit(e->past_steps, t->past[i].step) && has_bit(t->past[i].past_steps, step))
			return true;
	return false;
}

/* Adds executions that failed between the two accesses: the one that they have was the first. */
static void add_cut_off(struct encounters *m, struct encounter_group *e)
{
	const uint32_t *step = m->pairs[e->pair].step;
	uint32_t any = e->examples[0] != NO_EXAMPLE ? e->examples[0] : e->examples[1];
	const struct traced_execution *one = &m->traces[m->examples[any].execution];

	for (size_t i = 0; i < m->ntraces; i++) {
		const struct traced_execution *t = &m->traces[i];
		bool has_it[2] = {has_bit(t->steps, step[0]), has_bit(t->steps, step[1])};
		if (t->fails.ending && has_it[0] != has_it[1] && has_past(m, e, one, t) &&
		    !is_before(e, t, step[has_it[1]]))
			encounters_add_example(m, e, m->steps[step[has_it[1]]].fiber != e->fiber[0], i);
	}
}

/* Except for this pair, all pairs that conflict in both executions have the same order. */
static bool is_compatible(const struct encounters *m, const struct traced_execution *a,
                          const struct traced_execution *b, uint32_t pair)
{
	for (uint32_t i = 0; i * 64 < m->npairs; i++) {
		uint64_t differ = a->has_pair[i] & b->has_pair[i] & (a->reversed[i] ^ b->reversed[i]);
		if (i == pair / 64)
			differ &= ~(1ul << pair % 64);
		if (differ)
			return false;
	}
	return true;
}

static void set_shown(struct effect *f, uint32_t has_it, uint32_t other, uint64_t first)
{
	f->execution[0] = has_it;
	f->execution[1] = other;
	f->first = first;
}

/* What the first of two executions has and the other lacks, and whether that is known already. */
struct change {
	bool fails, prints, known;
	uint64_t tolerated;
};

/* Both executions have the same ones of the steps that conflict with any. */
static bool did_the_same(const struct encounters *m, const struct traced_execution *a, const struct traced_execution *b)
{
	for (uint32_t p = 0; p < m->npairs; p++)
		for (int k = 0; k < 2; k++)
			if (has_bit(a->steps, m->pairs[p].step[k]) != has_bit(b->steps, m->pairs[p].step[k]))
				return false;
	return true;
}

static struct change change_of(const struct encounters *m, const struct effect *f, const struct traced_execution *a,
                               const struct traced_execution *b, const struct interleavings *all)
{
	const struct outcome *x = &all->outcomes[a->outcome], *y = &all->outcomes[b->outcome];
	struct change c = {.tolerated = x->tolerated & ~y->tolerated};

	if (x->like == y->like)
		return (struct change){.known = true};
	c.fails = a->fails.ending && !(b->fails.ending && same_violation(a->fails, b->fails));
	/* output before both fail in the same way counts only if they did the same */
	c.prints = !c.fails && !b->fails.ending == !a->fails.ending && !a->waits && !b->waits &&
	           (!a->fails.ending || did_the_same(m, a, b));
	c.known = c.fails       ? effect_decides(f, a->fails.ending, a->fails.signature)
	          : c.tolerated ? !(c.tolerated & ~f->tolerated)
	                        : !c.prints || f->prints;
	return c;
}

/* Executions with the two orders of an encounter: x has this order, y the other one. */
struct reversed_pair {
	int order;
	bool always_fails; /* all executions with this order fail */
	uint32_t x, y;
};

static void compare(struct encounters *m, struct effect *f, const struct encounter_group *e,
                    const struct reversed_pair *both, const struct interleavings *all)
{
	const struct traced_execution *a = &m->traces[both->x], *b = &m->traces[both->y];
	struct change c = change_of(m, f, a, b, all);

	/* if the other one fails in another way, that failure may keep it from failing in this way */
	if (c.known || (c.fails && b->fails.ending && !both->always_fails))
		return;
	m->checks++;
	if (!is_compatible(m, a, b, e->pair))
		return;
	bool worse = c.fails ? !f->nviolations : c.tolerated ? !effect_fails(f) : !effect_fails(f) && !f->prints;
	if (worse)
		set_shown(f, both->x, both->y, e->key[both->order]);
	if (c.fails)
		add_violation(f, a->fails);
	f->tolerated |= c.tolerated;
	f->prints |= c.prints && !c.tolerated;
}

/* All executions with this order of an encounter fail in the same way. */
static bool fail_alike(const struct encounters *m, const struct encounter_group *e, int order)
{
	const struct violation first = m->traces[m->examples[e->examples[order]].execution].fails;

	for (uint32_t i = e->examples[order]; i != NO_EXAMPLE; i = m->examples[i].next) {
		const struct violation v = m->traces[m->examples[i].execution].fails;
		if (!v.ending || !same_violation(first, v))
			return false;
	}
	return true;
}

/* Some execution with this order ends in this way, or, if `so` fails, fails in this way. */
static bool ends_somewhere(const struct encounters *m, const struct encounter_group *e, int order,
                           const struct traced_execution *so)
{
	for (uint32_t i = e->examples[order]; i != NO_EXAMPLE; i = m->examples[i].next) {
		const struct traced_execution *t = &m->traces[m->examples[i].execution];
		if (so->fails.ending ? t->fails.ending && same_violation(t->fails, so->fails)
		                     : t->outcome == so->outcome)
			return true;
	}
	return false;
}

/* An execution with this order that does not fail, or NO_EXAMPLE. */
static uint32_t unfailing_example(const struct encounters *m, const struct encounter_group *e, int order)
{
	for (uint32_t i = e->examples[order]; i != NO_EXAMPLE; i = m->examples[i].next)
		if (!m->traces[m->examples[i].execution].fails.ending)
			return m->examples[i].execution;
	return NO_EXAMPLE;
}

/*
 * What comes in one order and never in the other, whatever follows, is made possible by this order. This includes
 * effects that also need other accesses in another order, if these cannot change places without this one.
 */
static void compare_all(const struct encounters *m, struct effect *f, const struct encounter_group *e, int order)
{
	uint32_t other = unfailing_example(m, e, !order);

	for (uint32_t i = e->examples[order]; i != NO_EXAMPLE && other != NO_EXAMPLE; i = m->examples[i].next) {
		uint32_t x = m->examples[i].execution;
		const struct traced_execution *t = &m->traces[x];
		bool fails = t->fails.ending;
		if ((fails ? effect_decides(f, t->fails.ending, t->fails.signature) : f->prints) ||
		    ends_somewhere(m, e, !order, t))
			continue;
		if (fails ? !f->nviolations : !effect_fails(f) && !f->prints)
			set_shown(f, x, other, e->key[order]);
		if (fails)
			add_violation(f, t->fails);
		f->prints |= !fails;
	}
}

static void judge_group(struct encounters *m, struct effect *f, struct encounter_group *e,
                        const struct interleavings *all)
{
	if (e->rewrites == 3) /* both write the same value: after the two, nobody can tell which was first */
		return;
	add_cut_off(m, e);
	if (e->examples[0] == NO_EXAMPLE || e->examples[1] == NO_EXAMPLE) {
		f->unclear = true;
		return;
	}
	/* with a rewrite, not every end comes with both orders */
	for (int order = 0; order < 2 && !e->rewrites; order++)
		compare_all(m, f, e, order);
	bool always_fails[2] = {fail_alike(m, e, 0), fail_alike(m, e, 1)};
	for (uint32_t i = e->examples[0]; i != NO_EXAMPLE; i = m->examples[i].next)
		for (uint32_t k = e->examples[1]; k != NO_EXAMPLE && m->checks < CHECKS_MOST; k = m->examples[k].next) {
			uint32_t x = m->examples[i].execution, y = m->examples[k].execution;
			compare(m, f, e, &(struct reversed_pair){0, always_fails[0], x, y}, all);
			compare(m, f, e, &(struct reversed_pair){1, always_fails[1], y, x}, all);
		}
}

/* An update has the effects of its read, against the same places. */
static void join_effects(struct effect *to, const struct effect *from)
{
	if (effect_fails(from) ? !effect_fails(to) : from->prints && !to->prints && !effect_fails(to)) {
		memcpy(to->execution, from->execution, sizeof to->execution);
		to->first = 0;
	}
	for (uint32_t i = 0; i < from->nviolations; i++)
		add_violation(to, from->violations[i]);
	to->tolerated |= from->tolerated;
	to->prints |= from->prints;
	to->unclear |= from->unclear;
}

static void join_updates(const struct encounters *m, struct effects *all)
{
	size_t count = all->count;

	for (size_t i = 0; i < m->nupdates; i++)
		for (size_t k = 0; k < count; k++) {
			uint64_t read = m->updates[i].read, write = m->updates[i].write;
			for (int side = 0; side < 2; side++) {
				if (all->list[k].key[side] != read)
					continue;
				uint64_t other = all->list[k].key[!side];
				struct effect *to = effect_of(all, write, other);
				join_effects(to, &all->list[k]);
			}
		}
}

static void add_misuses(const struct encounters *m, struct effects *all)
{
	for (size_t i = 0; i < m->nmisuses; i++) {
		const struct misuse *u = &m->misuses[i];
		struct effect *e = effect_of(all, u->key[0], u->key[1]);
		if (!effect_fails(e)) {
			e->execution[0] = e->execution[1] = u->execution;
			e->first = u->key[0];
		}
		add_violation(e, u->violation);
	}
}

struct effects *effects_sum(struct encounters *m, const struct interleavings *all)
{
	struct effects *out = must_alloc(sizeof *out);

	*out = (struct effects){0};
	complete_orders(m);
	for (size_t i = 0; i < m->room && !m->too_many; i++)
		if (m->list[i].past)
			judge_group(m, effect_of(out, m->list[i].key[0], m->list[i].key[1]), &m->list[i], all);
	join_updates(m, out);
	add_misuses(m, out);
	for (size_t i = 0; i < out->count; i++)
		out->list[i].unclear |= m->too_many || m->checks >= CHECKS_MOST;
	return out;
}

const struct effect *effects_find(const struct effects *all, const struct board_access *a, const struct board_access *b)
{
	return find_effect(all, key_of(a), key_of(b));
}

bool effect_fails(const struct effect *e) { return e->nviolations || e->tolerated; }

bool effect_decides(const struct effect *e, uint32_t ending, uint64_t signature)
{
	for (uint32_t i = 0; i < e->nviolations; i++)
		if (same_violation(e->violations[i], (struct violation){ending, signature}))
			return true;
	return false;
}

void effects_free(struct effects *all)
{
	for (size_t i = 0; all && i < all->count; i++) {
		free(all->list[i].violations);
		trial_free(&all->list[i].shown[0]);
		trial_free(&all->list[i].shown[1]);
	}
	if (all)
		free(all->list);
	free(all);
}
