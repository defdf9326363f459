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
#include "classify/dpor_steps.h"

#include <stdlib.h>
#include <string.h>

#include "format/file.h"

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

struct dpor {
	bool reduce;
	struct node *nodes;
	size_t nnodes, node_room;
	size_t prefix;               /* nodes that the next execution has to follow */
	struct executed_steps steps; /* of the last execution */
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
	free(d->steps.list);
	free(d->log);
	free(d);
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
	if (d->steps.count == d->steps.room) {
		d->steps.room = d->steps.room ? 2 * d->steps.room : 64;
		d->steps.list = must_resize(d->steps.list, d->steps.room * sizeof *d->steps.list);
	}
	struct step *e = &d->steps.list[d->steps.count++];
	*e = (struct step){.node = NO_NODE};
	return e;
}

/* Which fiber runs, or which waiter is woken. False: it is not the choice that was asked for. */
static bool read_choice(struct dpor *d, const struct step_note *s, size_t node)
{
	bool wake = s->kind == STEP_CHOICE;
	uint32_t chosen = wake ? (uint32_t)s->b : s->fiber;
	struct node *n;

	if (node < d->nnodes) {
		n = &d->nodes[node];
		if (n->is_wake != wake || n->chosen != chosen)
			return false;
	} else {
		n = add_node(d);
		*n = (struct node){.is_wake = wake, .chosen = chosen, .runnable = wake ? 0 : s->a};
		n->wanted = wake ? (s->a < 64 ? (1ul << s->a) - 1 : ~0ul) : 1ul << chosen;
	}
	n->step = d->steps.count - 1;
	return true;
}

/* Reads the steps of the execution. Each of its choices is a node, either one that was asked for or a new one. */
static bool read_log(struct dpor *d, size_t count, bool ended)
{
	size_t node = 0;
	uint32_t numbers[STEP_FIBERS] = {0};

	d->steps.count = 0;
	memset(d->pending, 0, sizeof d->pending);
	for (size_t i = 0; i < count; i++) {
		const struct step_note *s = &d->log[i];
		struct step *e = d->steps.count ? &d->steps.list[d->steps.count - 1] : NULL;
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
		if (!read_choice(d, s, node++))
			return false;
		e->has_choice |= choice;
	}
	if (!d->steps.count || node < d->prefix)
		return false;
	d->steps.list[d->steps.count - 1].ends = ended;
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
			n->wanted = is_unnoticed(&d->steps.list[n->step]) ? 1ul << n->chosen : n->runnable;
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
	const struct step *e = &d->steps.list[before->step];

	for (size_t i = 0; i < before->sleep.count; i++) {
		const struct board_sleeper *s = &before->sleep.list[i];
		struct footprint f = {s->steps, s->count};
		bool same = n->is_wake; /* both choices are within one step */
		if (same || (s->fiber != e->fiber && !footprints_conflict(&f, &e->did) && !e->ends))
			add_sleeper(n, s);
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
		uint32_t who = x < j ? d->steps.list[x].fiber : fiber;
		const uint32_t *known = x < j ? d->steps.list[x].clock : clock;
		if (seen >> who & 1 || (x < j && clock_has(known, &d->steps.list[i])))
			continue;
		bool begins = true;
		for (size_t y = i + 1; y < x && begins; y++)
			begins = clock_has(d->steps.list[y].clock, &d->steps.list[i]) ||
			         !clock_has(known, &d->steps.list[y]);
		seen |= 1ul << who;
		if (begins)
			first |= 1ul << who;
	}
	return first;
}

static void want_other_order(struct dpor *d, size_t i, size_t j, uint32_t fiber, const uint32_t *clock)
{
	if (d->steps.list[i].node == NO_NODE)
		return; /* only one thread existed yet */
	struct node *n = &d->nodes[d->steps.list[i].node];
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
	const struct step_note *take = footprint_find(did, STEP_TAKE);
	uint32_t covered[STEP_FIBERS], whole[STEP_FIBERS];
	size_t reversible[64], nreversible = 0;

	step_causes(&d->steps, j, fiber, did, clock);
	memcpy(covered, clock, sizeof covered);
	memcpy(whole, clock, sizeof whole);
	for (size_t i = j; i-- > 0;) {
		const struct step *e = &d->steps.list[i];
		if (e->fiber == fiber || !(ends || footprints_conflict(&e->did, did)))
			continue;
		bool open = !clock_has(covered, e);
		clock_join(whole, e->clock);
		if (!open)
			continue;
		if (!ends && !could_precede(did, &e->did))
			continue;
		d->torn |= is_torn(did, &e->did);
		if (nreversible < sizeof reversible / sizeof *reversible)
			reversible[nreversible++] = i;
		else if (e->node != NO_NODE) /* no room: every fiber that could run is tried there */
			d->nodes[e->node].wanted |= d->nodes[e->node].runnable;
		if (!take)
			clock_join(covered, e->clock);
	}
	memcpy(clock, whole, sizeof whole);
	for (size_t k = 0; k < nreversible && look; k++)
		want_other_order(d, reversible[k], j, fiber, clock);
}

static void find_other_orders(struct dpor *d, size_t from)
{
	uint32_t clock[STEP_FIBERS];

	for (size_t j = 0; j < d->steps.count; j++) {
		struct step *e = &d->steps.list[j];
		order_step(d, j, e->fiber, &e->did, e->ends, e->clock, d->reduce && j >= from);
		e->clock[e->fiber] = e->number;
		if (e->ends && e->node != NO_NODE) /* every fiber that could still have done something */
			d->nodes[e->node].wanted |= d->nodes[e->node].runnable;
	}
	for (uint32_t f = 0; f < STEP_FIBERS && d->reduce; f++) {
		struct footprint about = {&d->pending[f], 1};
		if (d->pending[f].kind)
			order_step(d, d->steps.count, f, &about, false, clock, true);
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
			put_to_sleep(n, &d->steps.list[n->step]);
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

const struct executed_steps *dpor_steps(const struct dpor *d) { return &d->steps; }

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
