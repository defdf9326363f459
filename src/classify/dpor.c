/*
 * The executions form a tree. A node is a choice: the fiber that makes the next step, or the one of several waiters
 * that is woken. The tree is searched depth first; only the path to the last execution is kept.
 *
 * The steps of each execution that conflict are ordered by clocks. Where two steps of different fibers conflict and
 * nothing in between orders them, they could have come the other way round: the node of the first step then gets a
 * fiber to try that leads there. What was tried at a node need not be tried again below its neighbours before a step
 * that conflicts with it: until then it sleeps.
 *
 * Some steps cannot come before others. A step that enables a fiber comes before all that this fiber does then, and the
 * last step of a thread before the step that joins it. A mutex is taken when it is free, so not before the unlock that
 * it waited for: the step to change places with is the one that had locked it. Which posts a semaphore has waited for
 * is not known, so all places are tried. The step that ends the execution conflicts with all others.
 *
 * Why nothing is missed: docs/design.md, "All interleavings".
 */
#include "classify/dpor.h"

#include <stdlib.h>
#include <string.h>

#include "format/file.h"

#define NONE SIZE_MAX

struct footprint {
	const struct step_note *notes;
	size_t count;
};

struct sleepers {
	struct board_sleeper *list;
	size_t count;
};

struct node {
	bool is_wake; /* the choice is which waiter is woken, not which fiber runs */
	size_t step;  /* the step that begins with this choice, or contains it */
	uint32_t chosen;
	uint64_t runnable; /* the fibers that could run, as bits */
	uint64_t wanted;   /* to be tried: fibers or possibilities, as bits */
	uint64_t done;     /* of these, already tried */
	struct sleepers sleep;
};

struct step {
	uint32_t fiber, number; /* `number`: its place among the steps of its fiber, from 1 on */
	struct footprint did;
	size_t node;     /* the choice of this step, or NONE */
	bool has_choice; /* a choice is made within the step */
	bool ends;       /* it ends the execution and conflicts with everything */
	uint32_t clock[STEP_FIBERS];
};

struct dpor {
	bool reduce;
	struct node *nodes;
	size_t nnodes, node_room;
	size_t prefix; /* nodes that the next execution has to follow */
	struct step *steps;
	size_t nsteps, step_room;
	struct step_note *log;
	struct step_note pending[STEP_FIBERS]; /* the next step of each fiber, where it is known; kind 0: it is not */
	bool torn;                             /* a step could have come in the middle of another one */
};

struct dpor *dpor_new(bool reduce)
{
	struct dpor *d = must_alloc(sizeof *d);

	*d = (struct dpor){.reduce = reduce};
	return d;
}

static void drop_nodes(struct dpor *d, size_t left)
{
	while (d->nnodes > left)
		free(d->nodes[--d->nnodes].sleep.list);
}

void dpor_free(struct dpor *d)
{
	drop_nodes(d, 0);
	free(d->nodes);
	free(d->steps);
	free(d->log);
	free(d);
}

static bool conflict(const struct footprint *x, const struct footprint *y)
{
	for (size_t i = 0; i < x->count; i++)
		for (size_t k = 0; k < y->count; k++)
			if (step_conflicts(&x->notes[i], &y->notes[k]))
				return true;
	return false;
}

/* One of them is really several machine steps, and the other one could come in between. */
static bool is_torn(const struct footprint *x, const struct footprint *y)
{
	for (size_t i = 0; i < x->count; i++)
		for (size_t k = 0; k < y->count; k++)
			if (step_conflicts(&x->notes[i], &y->notes[k]) &&
			    (step_is_wide(&x->notes[i]) || step_is_wide(&y->notes[k])))
				return true;
	return false;
}

static const struct step_note *first_of(const struct footprint *f, uint32_t kind)
{
	for (size_t i = 0; i < f->count; i++)
		if (f->notes[i].kind == kind)
			return &f->notes[i];
	return NULL;
}

/*
 * Of a mutex, what happens only while somebody holds it. A lock that waited cannot come before such a step; it can come
 * before the mutex was taken.
 */
static bool is_while_held(const struct step_note *s, const struct step_note *lock)
{
	return (s->kind == STEP_UNLOCK || s->kind == STEP_TRIED || s->kind == STEP_FUTEX) && s->a >= lock->a &&
	       s->a < lock->a + lock->b;
}

/* The later step could be made before the earlier one, as far as the mutex that it may wait for is concerned. */
static bool could_precede(const struct footprint *later, const struct footprint *earlier)
{
	for (size_t i = 0; i < later->count; i++)
		for (size_t k = 0; k < earlier->count; k++) {
			const struct step_note *a = &later->notes[i], *b = &earlier->notes[k];
			if (step_conflicts(a, b) && !(a->kind == STEP_LOCK && is_while_held(b, a)))
				return true;
		}
	return false;
}

static struct node *add_node(struct dpor *d)
{
	if (d->nnodes == d->node_room) {
		d->node_room = d->node_room ? 2 * d->node_room : 64;
		d->nodes = must_resize(d->nodes, d->node_room * sizeof *d->nodes);
	}
	struct node *n = &d->nodes[d->nnodes++];
	*n = (struct node){0};
	return n;
}

static struct step *add_step(struct dpor *d)
{
	if (d->nsteps == d->step_room) {
		d->step_room = d->step_room ? 2 * d->step_room : 64;
		d->steps = must_resize(d->steps, d->step_room * sizeof *d->steps);
	}
	struct step *e = &d->steps[d->nsteps++];
	*e = (struct step){.node = NONE};
	return e;
}

/* Reads the steps of the execution. Each of its choices is a node, either one that was asked for or a new one. */
static bool read_log(struct dpor *d, size_t count, bool ended)
{
	size_t node = 0;
	uint32_t numbers[STEP_FIBERS] = {0};

	d->nsteps = 0;
	memset(d->pending, 0, sizeof d->pending);
	for (size_t i = 0; i < count; i++) {
		const struct step_note *s = &d->log[i];
		struct step *e = d->nsteps ? &d->steps[d->nsteps - 1] : NULL;
		bool run = s->kind == STEP_RUN, choice = s->kind == STEP_CHOICE;
		if (s->fiber >= STEP_FIBERS || (!run && !e))
			return false;
		if (run) {
			bool alone = !e || !s->a; /* nobody else could run */
			e = add_step(d);
			e->fiber = s->fiber;
			e->number = ++numbers[s->fiber];
			e->did.notes = s + 1;
			d->pending[s->fiber].kind = 0;
			if (alone)
				continue;
			e->node = node;
		} else {
			e->did.count++;
		}
		if (s->kind == STEP_PENDING_LOCK || s->kind == STEP_PENDING_TAKE) {
			d->pending[s->fiber] = *s;
			d->pending[s->fiber].kind = s->kind == STEP_PENDING_LOCK ? STEP_LOCK : STEP_TAKE;
		}
		if (!run && !choice)
			continue;
		if (choice && s->a > 64)
			return false;
		uint32_t chosen = choice ? (uint32_t)s->b : s->fiber;
		struct node *n;
		if (node < d->nnodes) {
			n = &d->nodes[node];
			if (n->is_wake != choice || n->chosen != chosen)
				return false;
		} else {
			n = add_node(d);
			*n = (struct node){.is_wake = choice, .chosen = chosen, .runnable = choice ? 0 : s->a};
			n->wanted = choice ? (s->a < 64 ? (1ul << s->a) - 1 : ~0ul) : 1ul << chosen;
		}
		n->step = d->nsteps - 1;
		e->has_choice |= choice;
		node++;
	}
	if (!d->nsteps || node < d->prefix)
		return false;
	d->steps[d->nsteps - 1].ends = ended;
	return node <= STEP_CHOICES;
}

/* No other fiber can notice this step. */
static bool is_unnoticed(const struct step *e)
{
	bool hidden = !e->ends && !e->has_choice;

	for (size_t i = 0; i < e->did.count && hidden; i++)
		hidden = !step_is_access(&e->did.notes[i]) && e->did.notes[i].kind != STEP_ENABLES;
	return hidden;
}

/* Without reduction all orders are tried, except for steps that nobody can notice. */
static void want_all_orders(struct dpor *d, size_t from)
{
	for (size_t k = from; k < d->nnodes; k++) {
		struct node *n = &d->nodes[k];
		if (!n->is_wake)
			n->wanted = is_unnoticed(&d->steps[n->step]) ? 1ul << n->chosen : n->runnable;
	}
}

static bool is_asleep(const struct node *n, uint32_t fiber)
{
	for (size_t i = 0; i < n->sleep.count; i++)
		if (n->sleep.list[i].fiber == fiber)
			return true;
	return false;
}

static void add_sleeper(struct node *n, const struct board_sleeper *s)
{
	n->sleep.list = must_resize(n->sleep.list, (n->sleep.count + 1) * sizeof *s);
	n->sleep.list[n->sleep.count++] = *s;
}

/* A fiber that was tried sleeps at its node, if everything its step does is known. */
static void put_to_sleep(struct node *n, const struct step *e)
{
	struct board_sleeper s = {.fiber = e->fiber};

	if (e->ends || e->has_choice)
		return;
	for (size_t i = 0; i < e->did.count; i++) {
		if (!step_is_access(&e->did.notes[i]))
			continue;
		if (s.count == SLEEPER_STEPS)
			return;
		s.steps[s.count++] = e->did.notes[i];
	}
	add_sleeper(n, &s);
}

/* Who sleeps at a new node: who slept at the node before and was not woken by the step between. */
static void inherit_sleep(struct dpor *d, size_t k)
{
	const struct node *before = &d->nodes[k - 1];
	struct node *n = &d->nodes[k];
	const struct step *e = &d->steps[before->step];

	for (size_t i = 0; i < before->sleep.count; i++) {
		const struct board_sleeper *s = &before->sleep.list[i];
		struct footprint f = {s->steps, s->count};
		bool same = n->is_wake; /* both choices are within one step */
		if (same || (s->fiber != e->fiber && !conflict(&f, &e->did) && !e->ends))
			add_sleeper(n, s);
	}
}

static void join(uint32_t *to, const uint32_t *from)
{
	for (size_t i = 0; i < STEP_FIBERS; i++)
		if (from[i] > to[i])
			to[i] = from[i];
}

static bool knows(const uint32_t *clock, const struct step *e) { return clock[e->fiber] >= e->number; }

/*
 * What the fiber's step comes after in any case: the fiber's last step, the steps that enabled the fiber, and the ends
 * of the threads that it joins.
 */
static void clock_of_causes(const struct dpor *d, size_t j, uint32_t fiber, const struct footprint *did,
                            uint32_t *clock)
{
	bool mine = false;

	memset(clock, 0, STEP_FIBERS * sizeof *clock);
	for (size_t i = j; i-- > 0 && !mine;) {
		const struct step *e = &d->steps[i];
		mine = e->fiber == fiber;
		bool before = mine;
		for (size_t k = 0; k < e->did.count && !before; k++)
			before = e->did.notes[k].kind == STEP_ENABLES && e->did.notes[k].a == fiber;
		if (before)
			join(clock, e->clock);
	}
	for (size_t k = 0; k < did->count; k++)
		for (size_t i = j; did->notes[k].kind == STEP_JOIN && i-- > 0;)
			if (d->steps[i].fiber == did->notes[k].a) {
				join(clock, d->steps[i].clock);
				break;
			}
}

/*
 * The fibers whose step can come first in a sequence of all that follows step i without coming after it, with step j of
 * `fiber` at the end.
 */
static uint64_t possible_firsts(const struct dpor *d, size_t i, size_t j, uint32_t fiber, const uint32_t *clock)
{
	uint64_t seen = 0, first = 0;

	for (size_t x = i + 1; x <= j; x++) {
		uint32_t who = x < j ? d->steps[x].fiber : fiber;
		const uint32_t *known = x < j ? d->steps[x].clock : clock;
		if (seen >> who & 1 || (x < j && knows(known, &d->steps[i])))
			continue;
		bool begins = true;
		for (size_t y = i + 1; y < x && begins; y++)
			begins = knows(d->steps[y].clock, &d->steps[i]) || !knows(known, &d->steps[y]);
		seen |= 1ul << who;
		if (begins)
			first |= 1ul << who;
	}
	return first;
}

static void want_other_order(struct dpor *d, size_t i, size_t j, uint32_t fiber, const uint32_t *clock)
{
	if (d->steps[i].node == NONE)
		return; /* only one thread existed yet */
	struct node *n = &d->nodes[d->steps[i].node];
	uint64_t first = possible_firsts(d, i, j, fiber, clock) & n->runnable, sleeping = 0;

	for (size_t k = 0; k < n->sleep.count; k++)
		sleeping |= 1ul << n->sleep.list[k].fiber;
	if (first & (n->wanted | sleeping))
		return;
	n->wanted |= first ? first & -first : n->runnable;
}

/*
 * Compares step j, or a step that the fiber is about to make, with all steps before it. Leaves in `clock` what it comes
 * after.
 */
static void order_step(struct dpor *d, size_t j, uint32_t fiber, const struct footprint *did, bool ends,
                       uint32_t *clock, bool look)
{
	const struct step_note *take = first_of(did, STEP_TAKE);
	uint32_t covered[STEP_FIBERS], whole[STEP_FIBERS];
	size_t reversible[64], nreversible = 0;

	clock_of_causes(d, j, fiber, did, clock);
	memcpy(covered, clock, sizeof covered);
	memcpy(whole, clock, sizeof whole);
	for (size_t i = j; i-- > 0;) {
		const struct step *e = &d->steps[i];
		if (e->fiber == fiber || !(ends || conflict(&e->did, did)))
			continue;
		bool open = !knows(covered, e);
		join(whole, e->clock);
		if (!open)
			continue;
		if (!ends && !could_precede(did, &e->did))
			continue;
		d->torn |= is_torn(did, &e->did);
		if (nreversible < sizeof reversible / sizeof *reversible)
			reversible[nreversible++] = i;
		else if (e->node != NONE) /* no room: every fiber that could run is tried there */
			d->nodes[e->node].wanted |= d->nodes[e->node].runnable;
		if (!take)
			join(covered, e->clock);
	}
	memcpy(clock, whole, sizeof whole);
	for (size_t k = 0; k < nreversible && look; k++)
		want_other_order(d, reversible[k], j, fiber, clock);
}

static void find_other_orders(struct dpor *d, size_t from)
{
	uint32_t clock[STEP_FIBERS];

	for (size_t j = 0; j < d->nsteps; j++) {
		struct step *e = &d->steps[j];
		order_step(d, j, e->fiber, &e->did, e->ends, e->clock, d->reduce && j >= from);
		e->clock[e->fiber] = e->number;
		if (e->ends && e->node != NONE) /* every fiber that could still have done something */
			d->nodes[e->node].wanted |= d->nodes[e->node].runnable;
	}
	for (uint32_t f = 0; f < STEP_FIBERS && d->reduce; f++) {
		struct footprint about = {&d->pending[f], 1};
		if (d->pending[f].kind)
			order_step(d, d->nsteps, f, &about, false, clock, true);
	}
}

void dpor_guide(const struct dpor *d, struct board_guide *g)
{
	g->nchoices = (uint32_t)d->prefix;
	g->nsleepers = 0;
	for (size_t i = 0; i < d->prefix; i++)
		g->choice[i] = d->nodes[i].chosen;
	if (!d->prefix || !d->reduce)
		return;
	const struct node *last = &d->nodes[d->prefix - 1];
	for (size_t i = 0; i < last->sleep.count && g->nsleepers < STEP_FIBERS; i++)
		g->sleeper[g->nsleepers++] = last->sleep.list[i];
}

/* Goes back to the last node where something is left to be tried. */
static bool turn_back(struct dpor *d)
{
	while (d->nnodes) {
		struct node *n = &d->nodes[d->nnodes - 1];
		if (d->reduce && !n->is_wake && !is_asleep(n, n->chosen))
			put_to_sleep(n, &d->steps[n->step]);
		n->done |= 1ul << n->chosen;
		uint64_t left = n->wanted & ~n->done;
		for (uint32_t f = 0; f < 64 && !n->is_wake && d->reduce; f++)
			if (left >> f & 1 && is_asleep(n, f))
				left &= ~(1ul << f);
		if (left) {
			n->chosen = (uint32_t)__builtin_ctzl(left);
			d->prefix = d->nnodes;
			return true;
		}
		drop_nodes(d, d->nnodes - 1);
	}
	return false;
}

bool dpor_read_execution(struct dpor *d, const struct step_note *log, uint64_t count, bool ended, const char **why)
{
	size_t before = d->prefix;

	*why = NULL;
	d->log = must_resize(d->log, (count + 1) * sizeof *log);
	memcpy(d->log, log, count * sizeof *log);
	drop_nodes(d, before);
	if (!count) /* there was no second thread */
		return false;
	if (!read_log(d, count, ended)) {
		*why = "an execution did not do what it was to do";
		return false;
	}
	for (size_t k = before ? before : 1; k < d->nnodes && d->reduce; k++)
		inherit_sleep(d, k);
	if (!d->reduce)
		want_all_orders(d, before);
	find_other_orders(d, before ? d->nodes[before - 1].step : 0);
	if (d->torn)
		*why = "others could come in the middle of an access that the machine makes in several steps";
	return !d->torn;
}

bool dpor_next(struct dpor *d) { return turn_back(d); }

uint32_t dpor_choices(const struct dpor *d, uint32_t *out, uint32_t most)
{
	uint32_t n = 0;

	while (n < d->nnodes && n < most) {
		out[n] = d->nodes[n].chosen;
		n++;
	}
	return n;
}

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
		uint32_t kind = s->kind == STEP_REWRITE ? STEP_WRITE
		                                        : s->kind; /* which of the two it is depends on other threads */
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
static void clock_without(const struct dpor *d, size_t i, size_t j, uint32_t *clock)
{
	const struct step *e = &d->steps[j];

	clock_of_causes(d, j, e->fiber, &e->did, clock);
	for (size_t k = 0; k < j; k++)
		if (k != i && d->steps[k].fiber != e->fiber && conflict(&d->steps[k].did, &e->did))
			join(clock, d->steps[k].clock);
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
static uint64_t hash_identity(const struct dpor *d, size_t i)
{
	uint64_t what = hash_work(&d->steps[i]), before = 0;

	for (size_t k = 0; k < i; k++)
		before += d->steps[k].fiber == d->steps[i].fiber && hash_work(&d->steps[k]) == what;
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
	const struct dpor *d;
	uint64_t *past[STEP_FIBERS]; /* by fiber and by the numbers of its steps: hash_step() */
	uint32_t *number;            /* the number that each step gets in the report */
	uint32_t *past_steps;
};

static bool rewrites(const struct footprint *f) { return first_of(f, STEP_REWRITE); }

/* The encounter of steps i and j, which conflict. */
static struct encounter encounter_of(const struct report *t, size_t i, size_t j)
{
	const struct step *x = &t->d->steps[i], *y = &t->d->steps[j];
	struct encounter m = {
	        .step = {t->number[i], t->number[j]}, .fiber = {x->fiber, y->fiber}, .past_steps = t->past_steps};
	uint32_t clock[STEP_FIBERS], other[STEP_FIBERS];

	m.rewrites = rewrites(&x->did) || rewrites(&y->did);
	clock_without(t->d, i, j, clock);
	m.meets = !knows(clock, x);
	if (!m.meets)
		return m;
	memcpy(other, x->clock, sizeof other);
	other[x->fiber] = x->number - 1;
	join(clock, other);
	m.past = hash_past(clock, t->past);
	for (size_t k = 0; k < j; k++)
		if (t->number[k] != UNREPORTED && knows(clock, &t->d->steps[k]))
			t->past_steps[m.npast_steps++] = t->number[k];
	m.key[0] = key_of(&x->did, &y->did);
	m.key[1] = key_of(&y->did, &x->did);
	return m;
}

void dpor_report(const struct dpor *d, struct encounters *to)
{
	uint64_t *all = must_alloc((d->nsteps * STEP_FIBERS + 1) * sizeof *all);
	struct report t = {.d = d,
	                   .number = must_alloc((d->nsteps + 1) * sizeof *t.number),
	                   .past_steps = must_alloc((d->nsteps + 1) * sizeof *t.past_steps)};

	for (size_t f = 0; f < STEP_FIBERS; f++)
		t.past[f] = all + f * d->nsteps;
	for (size_t i = 0; i < d->nsteps; i++) {
		const struct step *e = &d->steps[i];
		uint64_t *past = t.past[e->fiber];
		past[e->number - 1] = hash_step(e->number > 1 ? past[e->number - 2] : 0, e);
		t.number[i] = has_access(e) ? encounters_add_step(to, e->fiber, hash_identity(d, i)) : UNREPORTED;
	}
	for (size_t j = 0; j < d->nsteps; j++) {
		size_t n = 0;
		for (size_t i = 0; i < j; i++)
			if (t.number[i] != UNREPORTED && knows(d->steps[j].clock, &d->steps[i]))
				t.past_steps[n++] = t.number[i];
		if (t.number[j] != UNREPORTED && !d->steps[j].ends)
			encounters_add_past(to, t.number[j], t.past_steps, n);
	}
	for (size_t j = 1; j < d->nsteps; j++)
		for (size_t i = 0; i < j; i++)
			if (d->steps[i].fiber != d->steps[j].fiber && conflict(&d->steps[i].did, &d->steps[j].did)) {
				const struct encounter m = encounter_of(&t, i, j);
				encounters_add(to, &m);
			}
	free(all);
	free(t.number);
	free(t.past_steps);
}

double dpor_progress(const struct dpor *d)
{
	double share = 1, sum = 0;

	for (size_t i = 0; i < d->nnodes; i++) {
		int all = __builtin_popcountl(d->nodes[i].wanted);
		sum += share * __builtin_popcountl(d->nodes[i].done) / all;
		share /= all;
	}
	return sum;
}
