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
	const struct step_note *steps;
	size_t count;
};

struct sleepers {
	struct board_sleeper *list;
	size_t count;
};

struct node {
	bool wakes;   /* the choice is which waiter is woken, not which fiber runs */
	size_t event; /* the step that begins with this choice, or contains it */
	uint32_t chosen;
	uint64_t able;   /* the fibers that could run, as bits */
	uint64_t wanted; /* to be tried: fibers or possibilities, as bits */
	uint64_t done;   /* of these, already tried */
	struct sleepers sleep;
};

struct move {
	uint32_t fiber, number; /* `number`: its place among the steps of its fiber, from 1 on */
	struct footprint did;
	size_t node;  /* the choice of this step, or NONE */
	bool chooses; /* a choice is made within the step */
	bool ends;    /* it ends the execution and conflicts with everything */
	uint32_t clock[STEP_FIBERS];
};

struct dpor {
	bool reduce;
	struct node *nodes;
	size_t nnodes, room;
	size_t prefix; /* nodes that the next execution has to follow */
	struct move *events;
	size_t nevents, event_room;
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
	free(d->events);
	free(d->log);
	free(d);
}

static bool conflict(const struct footprint *x, const struct footprint *y)
{
	for (size_t i = 0; i < x->count; i++)
		for (size_t k = 0; k < y->count; k++)
			if (step_conflicts(&x->steps[i], &y->steps[k]))
				return true;
	return false;
}

/* One of them is really several machine steps, and the other one could come in between. */
static bool is_torn(const struct footprint *x, const struct footprint *y)
{
	for (size_t i = 0; i < x->count; i++)
		for (size_t k = 0; k < y->count; k++)
			if (step_conflicts(&x->steps[i], &y->steps[k]) &&
			    (step_is_wide(&x->steps[i]) || step_is_wide(&y->steps[k])))
				return true;
	return false;
}

static const struct step_note *first_of(const struct footprint *f, uint32_t kind)
{
	for (size_t i = 0; i < f->count; i++)
		if (f->steps[i].kind == kind)
			return &f->steps[i];
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
			const struct step_note *a = &later->steps[i], *b = &earlier->steps[k];
			if (step_conflicts(a, b) && !(a->kind == STEP_LOCK && is_while_held(b, a)))
				return true;
		}
	return false;
}

static struct node *add_node(struct dpor *d)
{
	if (d->nnodes == d->room) {
		d->room = d->room ? 2 * d->room : 64;
		d->nodes = must_resize(d->nodes, d->room * sizeof *d->nodes);
	}
	struct node *n = &d->nodes[d->nnodes++];
	*n = (struct node){0};
	return n;
}

static struct move *add_event(struct dpor *d)
{
	if (d->nevents == d->event_room) {
		d->event_room = d->event_room ? 2 * d->event_room : 64;
		d->events = must_resize(d->events, d->event_room * sizeof *d->events);
	}
	struct move *e = &d->events[d->nevents++];
	*e = (struct move){.node = NONE};
	return e;
}

/* Reads the steps of the execution. Each of its choices is a node, either one that was asked for or a new one. */
static bool read_log(struct dpor *d, size_t count, bool ended)
{
	size_t node = 0;
	uint32_t numbers[STEP_FIBERS] = {0};

	d->nevents = 0;
	memset(d->pending, 0, sizeof d->pending);
	for (size_t i = 0; i < count; i++) {
		const struct step_note *s = &d->log[i];
		struct move *e = d->nevents ? &d->events[d->nevents - 1] : NULL;
		bool run = s->kind == STEP_RUN, choice = s->kind == STEP_CHOICE;
		if (s->fiber >= STEP_FIBERS || (!run && !e))
			return false;
		if (run) {
			bool alone = !e || !s->a; /* nobody else could run */
			e = add_event(d);
			e->fiber = s->fiber;
			e->number = ++numbers[s->fiber];
			e->did.steps = s + 1;
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
			if (n->wakes != choice || n->chosen != chosen)
				return false;
		} else {
			n = add_node(d);
			*n = (struct node){.wakes = choice, .chosen = chosen, .able = choice ? 0 : s->a};
			n->wanted = choice ? (s->a < 64 ? (1ul << s->a) - 1 : ~0ul) : 1ul << chosen;
		}
		n->event = d->nevents - 1;
		e->chooses |= choice;
		node++;
	}
	if (!d->nevents || node < d->prefix)
		return false;
	d->events[d->nevents - 1].ends = ended;
	return node <= STEP_CHOICES;
}

/* No other fiber can notice this step. */
static bool is_hidden(const struct move *e)
{
	bool hidden = !e->ends && !e->chooses;

	for (size_t i = 0; i < e->did.count && hidden; i++)
		hidden = !step_is_access(&e->did.steps[i]) && e->did.steps[i].kind != STEP_ENABLES;
	return hidden;
}

/* Without reduction all orders are tried, except for steps that nobody can notice. */
static void want_all(struct dpor *d, size_t from)
{
	for (size_t k = from; k < d->nnodes; k++) {
		struct node *n = &d->nodes[k];
		if (!n->wakes)
			n->wanted = is_hidden(&d->events[n->event]) ? 1ul << n->chosen : n->able;
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
static void put_to_sleep(struct node *n, const struct move *e)
{
	struct board_sleeper s = {.fiber = e->fiber};

	if (e->ends || e->chooses)
		return;
	for (size_t i = 0; i < e->did.count; i++) {
		if (!step_is_access(&e->did.steps[i]))
			continue;
		if (s.count == SLEEPER_STEPS)
			return;
		s.steps[s.count++] = e->did.steps[i];
	}
	add_sleeper(n, &s);
}

/* Who sleeps at a new node: who slept at the node before and was not woken by the step between. */
static void inherit_sleep(struct dpor *d, size_t k)
{
	const struct node *before = &d->nodes[k - 1];
	struct node *n = &d->nodes[k];
	const struct move *e = &d->events[before->event];

	for (size_t i = 0; i < before->sleep.count; i++) {
		const struct board_sleeper *s = &before->sleep.list[i];
		struct footprint f = {s->steps, s->count};
		bool same = n->wakes; /* both choices are within one step */
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

static bool knows(const uint32_t *clock, const struct move *e) { return clock[e->fiber] >= e->number; }

/*
 * What the fiber's step comes after in any case: the fiber's last step, the steps that enabled the fiber, and the ends
 * of the threads that it joins.
 */
static void clock_before(const struct dpor *d, size_t j, uint32_t fiber, const struct footprint *did, uint32_t *clock)
{
	bool mine = false;

	memset(clock, 0, STEP_FIBERS * sizeof *clock);
	for (size_t i = j; i-- > 0 && !mine;) {
		const struct move *e = &d->events[i];
		mine = e->fiber == fiber;
		bool before = mine;
		for (size_t k = 0; k < e->did.count && !before; k++)
			before = e->did.steps[k].kind == STEP_ENABLES && e->did.steps[k].a == fiber;
		if (before)
			join(clock, e->clock);
	}
	for (size_t k = 0; k < did->count; k++)
		for (size_t i = j; did->steps[k].kind == STEP_JOIN && i-- > 0;)
			if (d->events[i].fiber == did->steps[k].a) {
				join(clock, d->events[i].clock);
				break;
			}
}

/*
 * The fibers whose step can come first in a sequence of all that follows step i without coming after it, with step j of
 * `fiber` at the end.
 */
static uint64_t initials(const struct dpor *d, size_t i, size_t j, uint32_t fiber, const uint32_t *clock)
{
	uint64_t seen = 0, first = 0;

	for (size_t x = i + 1; x <= j; x++) {
		uint32_t who = x < j ? d->events[x].fiber : fiber;
		const uint32_t *known = x < j ? d->events[x].clock : clock;
		if (seen >> who & 1 || (x < j && knows(known, &d->events[i])))
			continue;
		bool begins = true;
		for (size_t y = i + 1; y < x && begins; y++)
			begins = knows(d->events[y].clock, &d->events[i]) || !knows(known, &d->events[y]);
		seen |= 1ul << who;
		if (begins)
			first |= 1ul << who;
	}
	return first;
}

static void want_other_order(struct dpor *d, size_t i, size_t j, uint32_t fiber, const uint32_t *clock)
{
	if (d->events[i].node == NONE)
		return; /* only one thread existed yet */
	struct node *n = &d->nodes[d->events[i].node];
	uint64_t first = initials(d, i, j, fiber, clock) & n->able, sleeping = 0;

	for (size_t k = 0; k < n->sleep.count; k++)
		sleeping |= 1ul << n->sleep.list[k].fiber;
	if (first & (n->wanted | sleeping))
		return;
	n->wanted |= first ? first & -first : n->able;
}

/*
 * Compares step j, or a step that the fiber is about to make, with all steps before it. Leaves in `clock` what it comes
 * after.
 */
static void order(struct dpor *d, size_t j, uint32_t fiber, const struct footprint *did, bool ends, uint32_t *clock,
                  bool look)
{
	const struct step_note *take = first_of(did, STEP_TAKE);
	uint32_t covered[STEP_FIBERS], whole[STEP_FIBERS];
	size_t race[64], nraces = 0;

	clock_before(d, j, fiber, did, clock);
	memcpy(covered, clock, sizeof covered);
	memcpy(whole, clock, sizeof whole);
	for (size_t i = j; i-- > 0;) {
		const struct move *e = &d->events[i];
		if (e->fiber == fiber || !(ends || conflict(&e->did, did)))
			continue;
		bool open = !knows(covered, e);
		join(whole, e->clock);
		if (!open)
			continue;
		if (!ends && !could_precede(did, &e->did))
			continue;
		d->torn |= is_torn(did, &e->did);
		if (nraces < sizeof race / sizeof *race)
			race[nraces++] = i;
		else if (e->node != NONE) /* no room: every fiber that could run is tried there */
			d->nodes[e->node].wanted |= d->nodes[e->node].able;
		if (!take)
			join(covered, e->clock);
	}
	memcpy(clock, whole, sizeof whole);
	for (size_t k = 0; k < nraces && look; k++)
		want_other_order(d, race[k], j, fiber, clock);
}

static void find_other_orders(struct dpor *d, size_t from)
{
	uint32_t clock[STEP_FIBERS];

	for (size_t j = 0; j < d->nevents; j++) {
		struct move *e = &d->events[j];
		order(d, j, e->fiber, &e->did, e->ends, e->clock, d->reduce && j >= from);
		e->clock[e->fiber] = e->number;
		if (e->ends && e->node != NONE) /* every fiber that could still have done something */
			d->nodes[e->node].wanted |= d->nodes[e->node].able;
	}
	for (uint32_t f = 0; f < STEP_FIBERS && d->reduce; f++) {
		struct footprint about = {&d->pending[f], 1};
		if (d->pending[f].kind)
			order(d, d->nevents, f, &about, false, clock, true);
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
		if (d->reduce && !n->wakes && !is_asleep(n, n->chosen))
			put_to_sleep(n, &d->events[n->event]);
		n->done |= 1ul << n->chosen;
		uint64_t left = n->wanted & ~n->done;
		for (uint32_t f = 0; f < 64 && !n->wakes && d->reduce; f++)
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
		want_all(d, before);
	find_other_orders(d, before ? d->nodes[before - 1].event : 0);
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

static bool has_access(const struct move *e)
{
	for (size_t i = 0; i < e->did.count; i++)
		if (step_is_access(&e->did.steps[i]))
			return true;
	return false;
}

static uint64_t hash_deed(const struct move *e)
{
	uint64_t hash = 1;

	for (size_t i = 0; i < e->did.count; i++) {
		const struct step_note *s = &e->did.steps[i];
		uint32_t kind = s->kind == STEP_REWRITE ? STEP_WRITE
		                                        : s->kind; /* which of the two it is depends on other threads */
		if (is_lasting(s))
			hash = mix(mix(mix(mix(hash, kind), s->a), s->b), s->site);
	}
	return hash;
}

/* A hash of all that a fiber has done up to this step, with what comes before each of its steps. */
static uint64_t hash_step(uint64_t before, const struct move *e)
{
	uint64_t hash = mix(mix(before + 1, e->fiber), hash_deed(e));

	for (size_t f = 0; f < STEP_FIBERS; f++)
		if (e->clock[f])
			hash = mix(mix(hash, f), e->clock[f]);
	return hash;
}

/* What step j would come after if step i, with which it conflicts, had not been made. */
static void clock_without(const struct dpor *d, size_t i, size_t j, uint32_t *clock)
{
	const struct move *e = &d->events[j];

	clock_before(d, j, e->fiber, &e->did, clock);
	for (size_t k = 0; k < j; k++)
		if (k != i && d->events[k].fiber != e->fiber && conflict(&d->events[k].did, &e->did))
			join(clock, d->events[k].clock);
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
static uint64_t hash_known(const struct dpor *d, size_t i)
{
	uint64_t what = hash_deed(&d->events[i]), before = 0;

	for (size_t k = 0; k < i; k++)
		before += d->events[k].fiber == d->events[i].fiber && hash_deed(&d->events[k]) == what;
	return mix(what, before);
}

static uint64_t key_of(const struct footprint *of, const struct footprint *against)
{
	for (size_t i = 0; i < of->count; i++)
		for (size_t k = 0; k < against->count && step_is_memory(&of->steps[i]); k++)
			if (step_is_memory(&against->steps[k]) && step_conflicts(&of->steps[i], &against->steps[k]))
				return encounter_key(of->steps[i].site, step_writes(&of->steps[i]));
	return 0;
}

#define UNTOLD UINT32_MAX /* a step that nobody notices: its place in an execution is chance */

/* An execution while it is reported. */
struct telling {
	const struct dpor *d;
	uint64_t *past[STEP_FIBERS]; /* by fiber and by the numbers of its steps: hash_step() */
	uint32_t *known;             /* the number that each step gets in the report */
	uint32_t *had;
};

static bool rewrites(const struct footprint *f) { return first_of(f, STEP_REWRITE); }

/* The encounter of steps i and j, which conflict. */
static struct encounter meet(const struct telling *t, size_t i, size_t j)
{
	const struct move *x = &t->d->events[i], *y = &t->d->events[j];
	struct encounter m = {.step = {t->known[i], t->known[j]}, .fiber = {x->fiber, y->fiber}, .had = t->had};
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
		if (t->known[k] != UNTOLD && knows(clock, &t->d->events[k]))
			t->had[m.nhad++] = t->known[k];
	m.key[0] = key_of(&x->did, &y->did);
	m.key[1] = key_of(&y->did, &x->did);
	return m;
}

void dpor_report(const struct dpor *d, struct encounters *to)
{
	uint64_t *all = must_alloc((d->nevents * STEP_FIBERS + 1) * sizeof *all);
	struct telling t = {.d = d,
	                    .known = must_alloc((d->nevents + 1) * sizeof *t.known),
	                    .had = must_alloc((d->nevents + 1) * sizeof *t.had)};

	for (size_t f = 0; f < STEP_FIBERS; f++)
		t.past[f] = all + f * d->nevents;
	for (size_t i = 0; i < d->nevents; i++) {
		const struct move *e = &d->events[i];
		uint64_t *past = t.past[e->fiber];
		past[e->number - 1] = hash_step(e->number > 1 ? past[e->number - 2] : 0, e);
		t.known[i] = has_access(e) ? encounters_add_step(to, e->fiber, hash_known(d, i)) : UNTOLD;
	}
	for (size_t j = 0; j < d->nevents; j++) {
		size_t n = 0;
		for (size_t i = 0; i < j; i++)
			if (t.known[i] != UNTOLD && knows(d->events[j].clock, &d->events[i]))
				t.had[n++] = t.known[i];
		if (t.known[j] != UNTOLD && !d->events[j].ends)
			encounters_add_past(to, t.known[j], t.had, n);
	}
	for (size_t j = 1; j < d->nevents; j++)
		for (size_t i = 0; i < j; i++)
			if (d->events[i].fiber != d->events[j].fiber &&
			    conflict(&d->events[i].did, &d->events[j].did)) {
				const struct encounter m = meet(&t, i, j);
				encounters_add(to, &m);
			}
	free(all);
	free(t.known);
	free(t.had);
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
