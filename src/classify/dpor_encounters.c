/*
 * Reports the steps of an execution and their encounters to order_effects.c: which steps conflict, what both of them
 * come after, and names of steps that are the same in all executions.
 */
#include "classify/dpor_steps.h"

#include <stdlib.h>
#include <string.h>

#include "format/file.h"

static uint64_t mix(uint64_t hash, uint64_t value) { return (hash ^ value) * 0x9e3779b97f4a7c15u ^ hash >> 29; }

/* This note is the same in every execution that has the step. */
static bool is_lasting(const struct step_note *s)
{
	return step_is_access(s) || s->kind == STEP_JOIN || s->kind == STEP_CHOICE;
}

static bool has_access(const struct step *e)
{
	for (size_t i = 0; i < e->did.count; i++)
		if (step_is_access(&e->did.notes[i]))
			return true;
	return false;
}

static uint64_t hash_work(const struct step *e)
{
	uint64_t hash = 1;

	for (size_t i = 0; i < e->did.count; i++) {
		const struct step_note *s = &e->did.notes[i];
		/* whether a write is a rewrite depends on other threads */
		uint32_t kind = s->kind == STEP_REWRITE ? STEP_WRITE : s->kind;
		if (is_lasting(s))
			hash = mix(mix(mix(mix(hash, kind), s->a), s->b), s->site);
	}
	return hash;
}

/* A hash of all that a fiber has done up to this step, with what comes before each of its steps. */
static uint64_t hash_step(uint64_t before, const struct step *e)
{
	uint64_t hash = mix(mix(before + 1, e->fiber), hash_work(e));

	for (size_t f = 0; f < STEP_FIBERS; f++)
		if (e->clock[f])
			hash = mix(mix(hash, f), e->clock[f]);
	return hash;
}

/* What step j would come after if step i, with which it conflicts, had not been made. */
static void clock_without(const struct executed_steps *all, size_t i, size_t j, uint32_t *clock)
{
	const struct step *e = &all->list[j];

	step_causes(all, j, e->fiber, &e->did, clock);
	for (size_t k = 0; k < j; k++)
		if (k != i && all->list[k].fiber != e->fiber && footprints_conflict(&all->list[k].did, &e->did))
			clock_join(clock, all->list[k].clock);
}

static uint64_t hash_past(const uint32_t *clock, uint64_t *const past[STEP_FIBERS])
{
	uint64_t hash = 1;

	for (size_t f = 0; f < STEP_FIBERS; f++)
		if (clock[f])
			hash = mix(hash, past[f][clock[f] - 1]);
	return hash;
}

/*
 * A hash of the step alone, without what came before, except for how many equal ones its fiber made: the same in all
 * executions that have the step.
 */
static uint64_t hash_identity(const struct executed_steps *all, size_t i)
{
	uint64_t what = hash_work(&all->list[i]), before = 0;

	for (size_t k = 0; k < i; k++)
		before += all->list[k].fiber == all->list[i].fiber && hash_work(&all->list[k]) == what;
	return mix(what, before);
}

static uint64_t key_of(const struct footprint *of, const struct footprint *against)
{
	for (size_t i = 0; i < of->count; i++)
		for (size_t k = 0; k < against->count && step_is_memory(&of->notes[i]); k++)
			if (step_is_memory(&against->notes[k]) && step_conflicts(&of->notes[i], &against->notes[k]))
				return encounter_key(of->notes[i].site, step_writes(&of->notes[i]));
	return 0;
}

#define UNREPORTED UINT32_MAX /* a step that nobody notices: its place in an execution is chance */

/* An execution while it is reported. */
struct report {
	const struct executed_steps *steps;
	uint64_t *past[STEP_FIBERS]; /* by fiber and by the numbers of its steps: hash_step() */
	uint32_t *number;            /* the number that each step gets in the report */
	uint32_t *past_steps;
};

static bool rewrites(const struct footprint *f) { return footprint_find(f, STEP_REWRITE); }

/* The encounter of steps i and j, which conflict. */
static struct encounter encounter_of(const struct report *t, size_t i, size_t j)
{
	const struct step *x = &t->steps->list[i], *y = &t->steps->list[j];
	struct encounter m = {
	        .step = {t->number[i], t->number[j]}, .fiber = {x->fiber, y->fiber}, .past_steps = t->past_steps};
	uint32_t clock[STEP_FIBERS], other[STEP_FIBERS];

	m.rewrites = rewrites(&x->did) || rewrites(&y->did);
	clock_without(t->steps, i, j, clock);
	m.meets = !clock_has(clock, x);
	if (!m.meets)
		return m;
	memcpy(other, x->clock, sizeof other);
	other[x->fiber] = x->number - 1;
	clock_join(clock, other);
	m.past = hash_past(clock, t->past);
	for (size_t k = 0; k < j; k++)
		if (t->number[k] != UNREPORTED && clock_has(clock, &t->steps->list[k]))
			t->past_steps[m.npast_steps++] = t->number[k];
	m.key[0] = key_of(&x->did, &y->did);
	m.key[1] = key_of(&y->did, &x->did);
	return m;
}

void dpor_report(const struct dpor *d, struct encounters *to)
{
	const struct executed_steps *all = dpor_steps(d);
	uint64_t *past_hashes = must_alloc((all->count * STEP_FIBERS + 1) * sizeof *past_hashes);
	struct report t = {.steps = all,
	                   .number = must_alloc((all->count + 1) * sizeof *t.number),
	                   .past_steps = must_alloc((all->count + 1) * sizeof *t.past_steps)};

	for (size_t f = 0; f < STEP_FIBERS; f++)
		t.past[f] = past_hashes + f * all->count;
	for (size_t i = 0; i < all->count; i++) {
		const struct step *e = &all->list[i];
		uint64_t *past = t.past[e->fiber];
		past[e->number - 1] = hash_step(e->number > 1 ? past[e->number - 2] : 0, e);
		t.number[i] = has_access(e) ? encounters_add_step(to, e->fiber, hash_identity(all, i)) : UNREPORTED;
	}
	for (size_t j = 0; j < all->count; j++) {
		size_t n = 0;
		for (size_t i = 0; i < j; i++)
			if (t.number[i] != UNREPORTED && clock_has(all->list[j].clock, &all->list[i]))
				t.past_steps[n++] = t.number[i];
		if (t.number[j] != UNREPORTED && !all->list[j].ends)
			encounters_add_past(to, t.number[j], t.past_steps, n);
	}
	for (size_t j = 1; j < all->count; j++)
		for (size_t i = 0; i < j; i++)
			if (all->list[i].fiber != all->list[j].fiber &&
			    footprints_conflict(&all->list[i].did, &all->list[j].did)) {
				const struct encounter m = encounter_of(&t, i, j);
				encounters_add(to, &m);
			}
	free(past_hashes);
	free(t.number);
	free(t.past_steps);
}
