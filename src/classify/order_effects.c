#include "classify/order_effects.h"

#include <stdlib.h>
#include <string.h>

#include "report/race_list.h"

#define STEPS  ENCOUNTER_STEPS
#define PAIRS  4096 /* of these steps, pairs that conflict */
#define CHECKS 100000000ul
#define NONE   UINT32_MAX

/* The steps that come before one step. */
struct predecessors {
	uint32_t step;
	uint64_t past_steps[STEPS / 64];
};

/* An execution: which steps it has and in which order those that conflict, one bit each. */
struct traced_execution {
	uint32_t outcome;
	struct violation fails; /* ending 0: it does not fail */
	bool waits; /* a thread waits inside the C library, for a stream: its steps are then not recognised */
	struct predecessors *past; /* of an execution that fails */
	size_t npast;
	uint64_t steps[STEPS / 64];
	uint64_t known[PAIRS / 64],
	        second[PAIRS / 64]; /* the pair has an order; it is not the one it was first seen in */
};

struct known_step {
	uint64_t hash;
	uint32_t fiber;
};

struct pair {
	uint32_t step[2];
};

/* An execution that has one order of an encounter. */
struct example {
	uint32_t execution, next;
};

/* All encounters of the same two steps with the same past. In order 0 the access of the lower thread comes first. */
struct encounter_group {
	uint64_t past; /* 0: the slot is free */
	uint64_t key[2];
	uint32_t pair, fiber[2];
	uint32_t examples[2]; /* one list for each order */
	uint32_t rewrites;    /* the orders in which one of the two writes the value that is there already */
	uint64_t past_steps[STEPS / 64];
};

/* A read and a write by one thread to the same word, with none of its accesses in between. */
struct update {
	uint64_t read, write;
};

/* An execution ended at the second of two accesses, in memory that the first had freed. */
struct misuse {
	uint64_t key[2];
	struct violation violation;
	uint32_t execution;
};

struct encounters {
	struct traced_execution *traces;
	size_t ntraces;
	struct known_step steps[STEPS];
	struct pair pairs[PAIRS];
	uint32_t nsteps, npairs;
	struct encounter_group *list; /* a hash table */
	size_t count, room;
	struct example *examples;
	uint32_t nexamples;
	struct update *updates;
	size_t nupdates;
	struct misuse *misuses;
	size_t nmisuses;
	uint64_t checks;
	bool too_many;
};

uint64_t encounter_key(uint64_t place, bool write) { return place ? place << 1 | write : 0; }

static uint64_t key_of(const struct board_access *a) { return encounter_key(access_place(a), a->flags & ACCESS_WRITE); }

static bool has(const uint64_t *bits, uint32_t i) { return bits[i / 64] >> i % 64 & 1; }
static void set(uint64_t *bits, uint32_t i) { bits[i / 64] |= 1ul << i % 64; }

struct encounters *encounters_new(void)
{
	struct encounters *m = must_alloc(sizeof *m);

	memset(m, 0, sizeof *m);
	return m;
}

void encounters_free(struct encounters *m)
{
	for (size_t i = 0; i < m->ntraces; i++)
		free(m->traces[i].past);
	free(m->traces);
	free(m->list);
	free(m->examples);
	free(m->updates);
	free(m->misuses);
	free(m);
}

void encounters_begin(struct encounters *m, uint32_t outcome, const struct violation *fails)
{
	if (!(m->ntraces & (m->ntraces - 1)))
		m->traces = must_resize(m->traces, (m->ntraces ? 2 * m->ntraces : 1) * sizeof *m->traces);
	struct traced_execution *t = &m->traces[m->ntraces++];
	memset(t, 0, sizeof *t);
	t->outcome = outcome;
	if (fails)
		t->fails = *fails;
}

uint32_t encounters_add_step(struct encounters *m, uint32_t fiber, uint64_t hash)
{
	uint32_t i = 0;

	while (i < m->nsteps && (m->steps[i].hash != hash || m->steps[i].fiber != fiber))
		i++;
	if (i == STEPS) {
		m->too_many = true;
		return 0;
	}
	if (i == m->nsteps)
		m->steps[m->nsteps++] = (struct known_step){hash, fiber};
	set(m->traces[m->ntraces - 1].steps, i);
	return i;
}

void encounters_add_past(struct encounters *m, uint32_t step, const uint32_t *past_steps, size_t npast_steps)
{
	struct traced_execution *t = &m->traces[m->ntraces - 1];

	if (!t->fails.ending)
		return;
	t->past = must_resize(t->past, (t->npast + 1) * sizeof *t->past);
	struct predecessors *p = &t->past[t->npast++];
	*p = (struct predecessors){.step = step};
	for (size_t i = 0; i < npast_steps; i++)
		set(p->past_steps, past_steps[i]);
}

static uint32_t pair_of(struct encounters *m, uint32_t a, uint32_t b)
{
	uint32_t i = 0;

	while (i < m->npairs && !(m->pairs[i].step[0] == a && m->pairs[i].step[1] == b) &&
	       !(m->pairs[i].step[0] == b && m->pairs[i].step[1] == a))
		i++;
	if (i < m->npairs)
		return i;
	if (i == PAIRS) {
		m->too_many = true;
		return 0;
	}
	m->pairs[m->npairs++] = (struct pair){{a, b}};
	return i;
}

static bool is_same(const struct encounter_group *a, const struct encounter_group *b)
{
	return a->past == b->past && a->pair == b->pair && !memcmp(a->key, b->key, sizeof a->key);
}

static struct encounter_group *slot_of(const struct encounters *m, const struct encounter_group *e)
{
	uint64_t hash = (e->past ^ e->key[0] * 0xc2b2ae3d27d4eb4fu ^ e->key[1] * 0x165667b19e3779f9u ^ e->pair) *
	                0x9e3779b97f4a7c15u;
	size_t at = (size_t)(hash >> 20) & (m->room - 1);

	while (m->list[at].past && !is_same(&m->list[at], e))
		at = (at + 1) & (m->room - 1);
	return &m->list[at];
}

static void grow(struct encounters *m)
{
	struct encounters old = *m;

	m->room = old.room ? 2 * old.room : 256;
	m->list = must_alloc(m->room * sizeof *m->list);
	memset(m->list, 0, m->room * sizeof *m->list);
	for (size_t i = 0; i < old.room; i++)
		if (old.list[i].past)
			*slot_of(m, &old.list[i]) = old.list[i];
	free(old.list);
}

static void add_example(struct encounters *m, struct encounter_group *e, int order, size_t execution)
{
	if (!(m->nexamples & (m->nexamples - 1)))
		m->examples = must_resize(m->examples, (m->nexamples ? 2 * m->nexamples : 1) * sizeof *m->examples);
	m->examples[m->nexamples] = (struct example){(uint32_t)execution, e->examples[order]};
	e->examples[order] = m->nexamples++;
}

void encounters_add(struct encounters *m, const struct encounter *what)
{
	struct traced_execution *t = &m->traces[m->ntraces - 1];
	int order = what->fiber[0] > what->fiber[1];
	uint32_t pair = pair_of(m, what->step[0], what->step[1]);

	set(t->known, pair);
	if (m->pairs[pair].step[0] != what->step[0])
		set(t->second, pair);
	if (!what->meets || !what->key[0] || !what->key[1] || m->too_many)
		return;
	struct encounter_group e = {.past = what->past ? what->past : 1,
	                            .key = {what->key[order], what->key[!order]},
	                            .fiber = {what->fiber[order], what->fiber[!order]},
	                            .pair = pair,
	                            .examples = {NONE, NONE}};
	for (size_t i = 0; i < what->npast_steps; i++)
		set(e.past_steps, what->past_steps[i]);
	if (2 * m->count >= m->room)
		grow(m);
	struct encounter_group *at = slot_of(m, &e);
	if (!at->past) {
		*at = e;
		m->count++;
	}
	at->rewrites |= (uint32_t)what->rewrites << order;
	add_example(m, at, order, m->ntraces - 1);
}

#define WORD_BYTES 8
#define LASTS      1024

static void add_update(struct encounters *m, struct update u)
{
	for (size_t i = 0; i < m->nupdates; i++)
		if (!memcmp(&m->updates[i], &u, sizeof u))
			return;
	m->updates = must_resize(m->updates, (m->nupdates + 1) * sizeof u);
	m->updates[m->nupdates++] = u;
}

static void add_misuse(struct encounters *m, struct misuse u)
{
	for (size_t i = 0; i < m->nmisuses; i++)
		if (!memcmp(m->misuses[i].key, u.key, sizeof u.key) &&
		    m->misuses[i].violation.signature == u.violation.signature)
			return;
	m->misuses = must_resize(m->misuses, (m->nmisuses + 1) * sizeof u);
	m->misuses[m->nmisuses++] = u;
}

static uint64_t key_of_step(const struct step_note *s) { return encounter_key(s->site, step_writes(s)); }

static void find_updates(struct encounters *m, const struct step_note *log, uint64_t count)
{
	struct last {
		uint64_t word, key;
		uint32_t fiber;
		bool read;
	} last[LASTS] = {{0}};

	for (uint64_t i = 0; i < count; i++) {
		const struct step_note *s = &log[i];
		if (!step_is_memory(s) || s->kind == STEP_FREE || s->b > WORD_BYTES)
			continue;
		uint64_t word = s->a / WORD_BYTES;
		struct last *l =
		        &last[(word * 31 + s->fiber) % LASTS]; /* a word that loses its slot is not seen as an update */
		if (step_writes(s) && l->read && l->word == word && l->fiber == s->fiber)
			add_update(m, (struct update){l->key, key_of_step(s)});
		*l = (struct last){word, key_of_step(s), s->fiber, !step_writes(s)};
	}
}

void encounters_add_steps(struct encounters *m, const struct step_note *log, uint64_t count)
{
	struct traced_execution *now = &m->traces[m->ntraces - 1];
	const struct step_note *last = NULL;

	find_updates(m, log, count);
	for (uint64_t i = 0; i < count; i++)
		now->waits |= log[i].kind == STEP_FUTEX;
	for (uint64_t i = 0; i < count && now->fails.ending == ENDING_MEMORY; i++)
		last = step_is_memory(&log[i]) ? &log[i] : last;
	for (uint64_t i = 0; i < count && last; i++) {
		const struct step_note *s = &log[i];
		if (s != last && s->fiber != last->fiber && s->kind == STEP_FREE && step_is_memory(s) &&
		    step_conflicts(s, last))
			add_misuse(m, (struct misuse){{key_of_step(s), key_of_step(last)},
			                              now->fails,
			                              (uint32_t)m->ntraces - 1});
	}
}

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
	*e = (struct effect){.key = {key < other ? key : other, key < other ? other : key}, .execution = {NONE, NONE}};
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
			bool has_first = has(t->steps, m->pairs[p].step[0]),
			     has_other = has(t->steps, m->pairs[p].step[1]);
			if (has(t->known, p) || has_first == has_other)
				continue;
			set(t->known, p);
			if (has_other)
				set(t->second, p);
		}
	}
}

/* All of `part` is in `whole`. */
static bool is_in(const uint64_t *part, const uint64_t *whole)
{
	for (size_t i = 0; i < STEPS / 64; i++)
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
	uint64_t so_far[STEPS / 64];
	memcpy(so_far, e->past_steps, sizeof so_far);
	for (int k = 0; k < 2; k++) /* these two come after it */
		set(so_far, m->pairs[e->pair].step[k]);
	for (uint32_t p = 0; p < m->npairs; p++)
		if (p != e->pair && has(so_far, m->pairs[p].step[0]) && has(so_far, m->pairs[p].step[1]) &&
		    (has(one->known, p) != has(other->known, p) || has(one->second, p) != has(other->second, p)))
			return false;
	return true;
}

/* In this execution, the step comes before a step of the encounter's past. */
static bool is_before(const struct encounter_group *e, const struct traced_execution *t, uint32_t step)
{
	for (size_t i = 0; i < t->npast; i++)
		if (has(e->past_steps, t->past[i].step) && has(t->past[i].past_steps, step))
			return true;
	return false;
}

/* Adds executions that failed between the two accesses: the one that they have was the first. */
static void add_cut_off(struct encounters *m, struct encounter_group *e)
{
	const uint32_t *step = m->pairs[e->pair].step;
	uint32_t any = e->examples[0] != NONE ? e->examples[0] : e->examples[1];
	const struct traced_execution *one = &m->traces[m->examples[any].execution];

	for (size_t i = 0; i < m->ntraces; i++) {
		const struct traced_execution *t = &m->traces[i];
		bool has_it[2] = {has(t->steps, step[0]), has(t->steps, step[1])};
		if (t->fails.ending && has_it[0] != has_it[1] && has_past(m, e, one, t) &&
		    !is_before(e, t, step[has_it[1]]))
			add_example(m, e, m->steps[step[has_it[1]]].fiber != e->fiber[0], i);
	}
}

/* Except for this pair, all pairs that conflict in both executions have the same order. */
static bool is_compatible(const struct encounters *m, const struct traced_execution *a,
                          const struct traced_execution *b, uint32_t pair)
{
	for (uint32_t i = 0; i * 64 < m->npairs; i++) {
		uint64_t differ = a->known[i] & b->known[i] & (a->second[i] ^ b->second[i]);
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
	uint64_t passed;
};

/* Both executions have the same ones of the steps that conflict with any. */
static bool did_the_same(const struct encounters *m, const struct traced_execution *a, const struct traced_execution *b)
{
	for (uint32_t p = 0; p < m->npairs; p++)
		for (int k = 0; k < 2; k++)
			if (has(a->steps, m->pairs[p].step[k]) != has(b->steps, m->pairs[p].step[k]))
				return false;
	return true;
}

static struct change change_of(const struct encounters *m, const struct effect *f, const struct traced_execution *a,
                               const struct traced_execution *b, const struct interleavings *all)
{
	const struct outcome *x = &all->outcomes[a->outcome], *y = &all->outcomes[b->outcome];
	struct change c = {.passed = x->passed & ~y->passed};

	if (x->like == y->like)
		return (struct change){.known = true};
	c.fails = a->fails.ending && !(b->fails.ending && same_violation(a->fails, b->fails));
	/* output before both fail in the same way counts only if they did the same */
	c.prints = !c.fails && !b->fails.ending == !a->fails.ending && !a->waits && !b->waits &&
	           (!a->fails.ending || did_the_same(m, a, b));
	c.known = c.fails    ? effect_decides(f, a->fails.ending, a->fails.signature)
	          : c.passed ? !(c.passed & ~f->passed)
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
	bool worse = c.fails ? !f->nviolations : c.passed ? !effect_fails(f) : !effect_fails(f) && !f->prints;
	if (worse)
		set_shown(f, both->x, both->y, e->key[both->order]);
	if (c.fails)
		add_violation(f, a->fails);
	f->passed |= c.passed;
	f->prints |= c.prints && !c.passed;
}

/* All executions with this order of an encounter fail in the same way. */
static bool fail_alike(const struct encounters *m, const struct encounter_group *e, int order)
{
	const struct violation first = m->traces[m->examples[e->examples[order]].execution].fails;

	for (uint32_t i = e->examples[order]; i != NONE; i = m->examples[i].next) {
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
	for (uint32_t i = e->examples[order]; i != NONE; i = m->examples[i].next) {
		const struct traced_execution *t = &m->traces[m->examples[i].execution];
		if (so->fails.ending ? t->fails.ending && same_violation(t->fails, so->fails)
		                     : t->outcome == so->outcome)
			return true;
	}
	return false;
}

/* An execution with this order that does not fail, or NONE. */
static uint32_t unfailing_example(const struct encounters *m, const struct encounter_group *e, int order)
{
	for (uint32_t i = e->examples[order]; i != NONE; i = m->examples[i].next)
		if (!m->traces[m->examples[i].execution].fails.ending)
			return m->examples[i].execution;
	return NONE;
}

/*
 * What comes in one order and never in the other, whatever follows, is made possible by this order. This includes what
 * takes further accesses to be reversed, if they cannot be reversed without this one.
 */
static void compare_all(const struct encounters *m, struct effect *f, const struct encounter_group *e, int order)
{
	uint32_t other = unfailing_example(m, e, !order);

	for (uint32_t i = e->examples[order]; i != NONE && other != NONE; i = m->examples[i].next) {
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
	if (e->examples[0] == NONE || e->examples[1] == NONE) {
		f->unclear = true;
		return;
	}
	for (int order = 0; order < 2 && !e->rewrites;
	     order++) /* with a rewrite, not every end comes with both orders */
		compare_all(m, f, e, order);
	bool always_fails[2] = {fail_alike(m, e, 0), fail_alike(m, e, 1)};
	for (uint32_t i = e->examples[0]; i != NONE; i = m->examples[i].next)
		for (uint32_t k = e->examples[1]; k != NONE && m->checks < CHECKS; k = m->examples[k].next) {
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
	to->passed |= from->passed;
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

struct effects *encounters_sum(struct encounters *m, const struct interleavings *all)
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
		out->list[i].unclear |= m->too_many || m->checks >= CHECKS;
	return out;
}

const struct effect *effects_find(const struct effects *all, const struct board_access *a, const struct board_access *b)
{
	return find_effect(all, key_of(a), key_of(b));
}

bool effect_fails(const struct effect *e) { return e->nviolations || e->passed; }

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
