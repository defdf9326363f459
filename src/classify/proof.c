#include "classify/proof.h"

#include <stdio.h>
#include <string.h>

#include "classify/orders.h"

void proof_settle(const struct classifier *c, struct subject *s)
{
	struct verdict *v = s->race->verdict;
	const struct board_access *a = s->race->seen.access;

	if (!c->all.complete || v->kind != VERDICT_UNKNOWN || !orders_are_single(&c->all.orders, &a[0], &a[1]))
		return;
	v->kind = VERDICT_SINGLE;
	v->adhoc = s->blind ? NULL : "data";
	v->interleavings = c->all.count;
	snprintf(v->why, sizeof v->why, "none of all %lu interleavings has the other order", c->all.count);
}

static bool same_bytes(const struct bytes *a, const struct bytes *b)
{
	return a->size == b->size && !memcmp(a->data, b->data, a->size);
}

static bool is_in(const struct interleavings *all, const struct trial *t)
{
	for (size_t i = 0; i < all->noutcomes; i++) {
		const struct outcome *o = &all->outcomes[i];
		const struct trial end = {.ending = o->ending, .signature = o->signature};
		if (trial_is_violation(t) ? trial_is_violation(&end) && trial_same_violation(&end, t)
		                          : o->ending == t->ending && o->status == t->status &&
		                                    same_bytes(&o->output[0], &t->output[0]) &&
		                                    same_bytes(&o->output[1], &t->output[1]))
			return true;
	}
	return false;
}

/* They go on behind it. */
static bool is_passed(const struct classifier *c, const struct trial *t)
{
	for (uint32_t k = 0; k < c->manifest->npassed; k++) {
		const struct board_result *r = c->constant[k]->result;
		if (r->ending != t->ending || r->signature != t->signature)
			continue;
		for (size_t i = 0; i < c->all.noutcomes; i++)
			if (c->all.outcomes[i].passed >> k & 1)
				return true;
	}
	return false;
}

static void tell_fault(struct classifier *c)
{
	c->all.complete = false;
	c->all.fault = true;
	snprintf(c->all.why, sizeof c->all.why,
	         "a fault of Omen's: an execution ends as none of the %lu that should be all", c->all.count);
}

/* Whatever an execution was made for, all must have its failure. */
static void check_failures(struct classifier *c)
{
	for (size_t i = 0; c->failures && i < c->failures->count && c->all.complete; i++) {
		const struct failure *f = c->failures->list[i];
		const struct trial t = {.ending = f->result->ending, .signature = f->result->signature};
		if (trial_is_violation(&t) && !f->fixed && !is_in(&c->all, &t) && !is_passed(c, &t))
			tell_fault(c);
	}
}

void proof_check(struct classifier *c, const struct subjects *all)
{
	check_failures(c);
	for (size_t i = 0; i < all->count && c->all.complete; i++) {
		const struct subject *s = &all->list[i];
		enum verdict_kind kind = s->race->verdict->kind;
		const struct trial *t = kind == VERDICT_SPEC ? &s->spec.trial : &s->output.trial;
		if ((kind != VERDICT_SPEC && kind != VERDICT_OUTPUT) || is_in(&c->all, t) || is_passed(c, t))
			continue;
		tell_fault(c);
	}
	for (size_t i = 0; i < all->count && c->all.fault; i++)
		all->list[i].race->verdict->interleavings = 0;
}
