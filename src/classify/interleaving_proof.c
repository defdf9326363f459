#include "classify/interleaving_proof.h"

#include <stdio.h>
#include <string.h>

#include "classify/order_effects.h"
#include "classify/access_orders.h"

/*
 * True if all interleavings were executed and show what the order of this race decides; `e` NULL: its accesses never
 * meet.
 */
static bool is_proven(const struct classifier *c, const struct race_tally *tally, const struct effect **e)
{
	const struct board_access *a = tally->race->seen.access;

	if (!c->interleavings.complete || !c->interleavings.effects)
		return false;
	*e = effects_find(c->interleavings.effects, &a[0], &a[1]);
	return *e ? !(*e)->unclear
	          : orders_have(&c->interleavings.orders, &a[0], &a[1]) ||
	                       orders_have(&c->interleavings.orders, &a[1], &a[0]);
}

static void copy_trial(struct trial *to, const struct trial *from)
{
	trial_copy_output(to, from);
	to->signature = from->signature;
	to->tolerated = from->tolerated;
	to->execution = execution_copy(from->execution);
}

/* Makes executions with the two orders the finding of the race. */
static void take_effect(struct finding *f, const struct race_tally *tally, const struct effect *e)
{
	const struct board_access *a = tally->race->seen.access;
	bool second = encounter_key(access_place(&a[0]), a[0].flags & ACCESS_WRITE) != e->first;

	finding_free(f);
	*f = (struct finding){.found = true,
	                      .sure = true,
	                      .watch = race_watch(&tally->race->seen),
	                      .plan = {.site = a[!second].site, .flags = a[!second].flags, .order = PLAN_RECORDED},
	                      .site = a[second].site};
	copy_trial(&f->trial, &e->shown[0]);
	copy_trial(&f->primary, &e->shown[1]);
}

static bool shows(const struct finding *f, const struct effect *e)
{
	return f->found && f->trial.execution &&
	       (effect_decides(e, f->trial.ending, f->trial.signature) || e->tolerated);
}

void proof_find(const struct classifier *c, struct race_tally *tally)
{
	const struct effect *e;

	if (!is_proven(c, tally, &e))
		return;
	bool fails = e && effect_fails(e), prints = e && e->prints, shown = e && e->shown[0].execution;
	if (fails && !shows(&tally->spec, e) && shown)
		take_effect(&tally->spec, tally, e);
	if (!fails && prints && !tally->output.found && shown)
		take_effect(&tally->output, tally, e);
	if (!tally->tried) /* in executions that fail by themselves no order was reversed to see what it does */
		tally->k = 0;
	tally->spec.found &= fails;
	tally->spec.sure |= fails;
	tally->output.found &= prints;
	tally->output.sure |= prints;
}

/* No interleaving has the other order, or both orders occur but neither can be chosen. */
static void settle_single(const struct classifier *c, const struct race_tally *tally)
{
	struct verdict *v = tally->race->verdict;
	const struct board_access *a = tally->race->seen.access;

	v->interleavings = c->interleavings.count;
	if (v->kind == VERDICT_SINGLE)
		return;
	v->kind = VERDICT_SINGLE;
	v->adhoc = tally->blind ? NULL : "data";
	v->rounds = orders_have(&c->interleavings.orders, &a[0], &a[1]) &&
	            orders_have(&c->interleavings.orders, &a[1], &a[0]);
	snprintf(v->why, sizeof v->why,
	         v->rounds ? "in none of all %lu interleavings can the other thread be first instead"
	                   : "none of all %lu interleavings has the other order",
	         c->interleavings.count);
}

/*
 * The verdict says that the read only waits for the write, but in some execution it comes before every write and its
 * thread goes on.
 */
static bool goes_on_without_write(const struct classifier *c, const struct race_tally *tally)
{
	const struct board_access *a = tally->race->seen.access;
	bool second = a[0].flags & ACCESS_WRITE;

	return c->interleavings.complete && tally->race->verdict->kind == VERDICT_SINGLE && tally->read_only_waits &&
	       orders_first_goes_on(&c->interleavings.orders, &a[second], &a[!second]);
}

static void settle_harmless(const struct classifier *c, struct verdict *v)
{
	v->kind = VERDICT_HARMLESS;
	v->adhoc = NULL;
	v->rounds = false;
	v->interleavings = c->interleavings.count;
	v->others = !interleavings_agree(&c->interleavings);
}

/* A race without a verdict may get one from the orders that exist. */
static void settle_by_orders(const struct classifier *c, struct race_tally *tally)
{
	struct verdict *v = tally->race->verdict;
	const struct board_access *a = tally->race->seen.access;
	const struct orders *orders = &c->interleavings.orders;

	if (!c->interleavings.complete || v->kind != VERDICT_UNKNOWN)
		return;
	if (orders_are_single(orders, &a[0], &a[1]))
		settle_single(c, tally);
	else if (interleavings_agree(&c->interleavings) && orders_have(orders, &a[0], &a[1]) &&
	         orders_have(orders, &a[1], &a[0]))
		settle_harmless(c, v);
}

void proof_settle(const struct classifier *c, struct race_tally *tally)
{
	struct verdict *v = tally->race->verdict;
	const struct effect *e;
	bool known = is_proven(c, tally, &e), waits = v->kind == VERDICT_SINGLE && tally->read_only_waits;

	if (goes_on_without_write(c, tally)) {
		waits = false;
		v->kind = VERDICT_UNKNOWN;
		snprintf(v->why, sizeof v->why, "no execution tells what the order of the two does");
		known &= e != NULL;
	}
	if (!known)
		settle_by_orders(c, tally);
	else if (!e)
		settle_single(c, tally);
	else if (!effect_fails(e) && !e->prints && !waits)
		settle_harmless(c, v);
}

enum blame proof_blame(const struct classifier *c, const struct race_tally *tally, const struct failure *f)
{
	const struct board_result *r = f->result;
	const struct effect *e;

	if (!is_proven(c, tally, &e))
		return BLAME_UNKNOWN;
	for (uint32_t i = 0; e && i < c->manifest->ntolerated; i++)
		if (c->constant_failures[i] == f && e->tolerated >> i & 1)
			return BLAME_RACE;
	return e && effect_decides(e, r->ending, r->signature) ? BLAME_RACE : BLAME_NO_RACE;
}

static bool same_bytes(const struct bytes *a, const struct bytes *b)
{
	return a->size == b->size && !memcmp(a->data, b->data, a->size);
}

static bool is_an_outcome(const struct interleavings *all, const struct trial *t)
{
	for (size_t i = 0; i < all->noutcomes; i++) {
		const struct outcome *o = &all->outcomes[i];
		const struct trial end = {.ending = o->ending, .signature = o->signature};
		if (trial_is_violation(t) ? trial_is_violation(&end) && trial_same_violation(&end, t)
		                          : o->ending == t->ending && o->status == t->status &&
		                                    same_bytes(&o->output[0], &t->printed[0]) &&
		                                    same_bytes(&o->output[1], &t->printed[1]))
			return true;
	}
	return false;
}

/* Some interleaving continues past this violation. */
static bool is_passed_somewhere(const struct classifier *c, const struct trial *t)
{
	for (uint32_t k = 0; k < c->manifest->ntolerated; k++) {
		const struct board_result *r = c->constant_failures[k]->result;
		if (r->ending != t->ending || r->signature != t->signature)
			continue;
		for (size_t i = 0; i < c->interleavings.noutcomes; i++)
			if (c->interleavings.outcomes[i].tolerated >> k & 1)
				return true;
	}
	return false;
}

static void report_fault(struct classifier *c)
{
	c->interleavings.complete = false;
	c->interleavings.fault = true;
	snprintf(c->interleavings.why, sizeof c->interleavings.why,
	         "a fault of Omen's: an execution ends as none of the %lu that should be all", c->interleavings.count);
}

/* The failure of any execution must be in one of all interleavings. */
static void check_failures(struct classifier *c)
{
	for (size_t i = 0; c->failures && i < c->failures->count && c->interleavings.complete; i++) {
		const struct failure *f = c->failures->list[i];
		const struct trial t = {.ending = f->result->ending, .signature = f->result->signature};
		if (trial_is_violation(&t) && !f->fixed && !is_an_outcome(&c->interleavings, &t) &&
		    !is_passed_somewhere(c, &t))
			report_fault(c);
	}
}

void proof_check(struct classifier *c, const struct race_tallies *all)
{
	check_failures(c);
	for (size_t i = 0; i < all->count && c->interleavings.complete; i++) {
		const struct race_tally *tally = &all->list[i];
		enum verdict_kind kind = tally->race->verdict->kind;
		const struct trial *t = kind == VERDICT_SPEC ? &tally->spec.trial : &tally->output.trial;
		if ((kind != VERDICT_SPEC && kind != VERDICT_OUTPUT) || is_an_outcome(&c->interleavings, t) ||
		    is_passed_somewhere(c, t))
			continue;
		report_fault(c);
	}
	for (size_t i = 0; i < all->count && c->interleavings.fault; i++)
		all->list[i].race->verdict->interleavings = 0;
}
