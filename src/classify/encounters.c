#include "classify/encounters_data.h"

#include <stdlib.h>
#include <string.h>

#include "abi/board.h"
#include "format/file.h"

uint64_t encounter_key(uint64_t place, bool write) { return place ? place << 1 | write : 0; }

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
	if (i == ENCOUNTER_STEPS) {
		m->too_many = true;
		return 0;
	}
	if (i == m->nsteps)
		m->steps[m->nsteps++] = (struct known_step){hash, fiber};
	set_bit(m->traces[m->ntraces - 1].steps, i);
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
		set_bit(p->past_steps, past_steps[i]);
}

static uint32_t pair_of(struct encounters *m, uint32_t a, uint32_t b)
{
	uint32_t i = 0;

	while (i < m->npairs && !(m->pairs[i].step[0] == a && m->pairs[i].step[1] == b) &&
	       !(m->pairs[i].step[0] == b && m->pairs[i].step[1] == a))
		i++;
	if (i < m->npairs)
		return i;
	if (i == ENCOUNTER_PAIRS) {
		m->too_many = true;
		return 0;
	}
	m->pairs[m->npairs++] = (struct step_pair){{a, b}};
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

void encounters_add_example(struct encounters *m, struct encounter_group *e, int order, size_t execution)
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

	set_bit(t->has_pair, pair);
	if (m->pairs[pair].step[0] != what->step[0])
		set_bit(t->reversed, pair);
	if (!what->meets || !what->key[0] || !what->key[1] || m->too_many)
		return;
	struct encounter_group e = {.past = what->past ? what->past : 1,
	                            .key = {what->key[order], what->key[!order]},
	                            .fiber = {what->fiber[order], what->fiber[!order]},
	                            .pair = pair,
	                            .examples = {NO_EXAMPLE, NO_EXAMPLE}};
	for (size_t i = 0; i < what->npast_steps; i++)
		set_bit(e.past_steps, what->past_steps[i]);
	if (2 * m->count >= m->room)
		grow(m);
	struct encounter_group *at = slot_of(m, &e);
	if (!at->past) {
		*at = e;
		m->count++;
	}
	at->rewrites |= (uint32_t)what->rewrites << order;
	encounters_add_example(m, at, order, m->ntraces - 1);
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
