#include "classify/race_tally.h"

#include <stdio.h>
#include <stdlib.h>

#include "classify/journal.h"

#define ENOUGH 16 /* trials that failed for a known reason, until the other order counts as impossible */

struct subject *subject_of(struct subjects *all, struct race *r)
{
	for (size_t i = 0; i < all->count; i++)
		if (all->list[i].race == r)
			return &all->list[i];
	all->list = must_resize(all->list, (all->count + 1) * sizeof *all->list);
	struct subject *s = &all->list[all->count++];
	*s = (struct subject){.race = r};
	journal_recall(all->journal, s);
	return s;
}

void subjects_free(struct subjects *all)
{
	for (size_t i = 0; i < all->count; i++) {
		struct subject *s = &all->list[i];
		finding_free(&s->spec);
		finding_free(&s->output);
		history_free(s->history);
	}
	free(all->list);
	*all = (struct subjects){0};
}

static bool is_same_access(const struct board_access *a, const struct board_access *b)
{
	return access_place(a) == access_place(b) && !((a->flags ^ b->flags) & ACCESS_KIND);
}

void subject_note_orders(struct subject *s, const struct board_race *seen)
{
	const struct board_access *own = s->race->seen.access;

	for (uint32_t i = 0; i < seen->ninstances && i < BOARD_INSTANCES; i++) {
		const struct board_instance *at = &seen->instance[i];
		const struct board_access *first = &seen->access[at->swapped ? 1 : 0];
		s->threads |= at->fiber[0] < at->fiber[1] ? 1 : 2;
		if (!is_same_access(&own[0], &own[1])) /* otherwise the two cannot be told apart */
			s->orders |= is_same_access(first, &own[0]) ? 1 : 2;
	}
}

bool subject_is_decided(const struct subject *s, uint64_t k)
{
	bool impossible = !s->enforced && s->impossible >= s->elsewhere + ENOUGH && !s->budget;

	return s->spec.sure || s->flag || impossible || s->k >= 3 * k;
}

struct blamed *subject_blamed(struct subject *s, uint32_t ending, uint64_t signature)
{
	for (uint32_t i = 0; i < s->nblamed; i++)
		if (s->blamed[i].ending == ending && s->blamed[i].signature == signature)
			return &s->blamed[i];
	if (s->nblamed == BLAMED)
		return NULL;
	struct blamed *b = &s->blamed[s->nblamed++];
	*b = (struct blamed){.ending = ending, .signature = signature};
	return b;
}

enum blame blame_of(const struct blamed *b) { return b->both ? BLAME_OWN : b->decided ? BLAME_RACE : BLAME_OPEN; }

bool subject_is_blamed(const struct subject *s, uint32_t ending, uint64_t signature)
{
	for (uint32_t i = 0; i < s->nblamed; i++)
		if (s->blamed[i].ending == ending && s->blamed[i].signature == signature)
			return blame_of(&s->blamed[i]) == BLAME_RACE;
	return false;
}

/* Every trial of one of the two orders fails before it makes that order. */
static bool is_in_the_way(const struct subject *s)
{
	bool never = s->spec.plan.order == PLAN_FIRST ? !s->firsts : !s->enforced && !s->impossible;

	return s->spec.before && never && !s->budget;
}

/* Wherever states were compared, they are the same after both orders. */
static bool is_same_after(const struct subject *s) { return s->equal && !s->differ && !s->unclear && !s->failed; }

/* If so, nothing that follows depends on the order, however far an execution came. */
static bool is_irrelevant(const struct subject *s) { return is_same_after(s) && !s->spec.sure && !s->output.sure; }

static bool goes_by(const struct subject *s, uint64_t address)
{
	uint32_t bit = went_by_bit(address);

	return s->went_by[bit / 64] >> bit % 64 & 1;
}

/* The thread read this address on its other way, or waited for it, while the first thread was held. */
static bool depends_on(const struct subject *s, uint64_t address)
{
	return (s->spun && address == s->race->seen.address) || goes_by(s, address);
}

/*
 * The other thread takes another way or waits because of what the held thread wrote before (it took a block, or holds a
 * lock of the program's own). This excludes the other order only if the taking itself is atomic. A harmful race on
 * those words says that it is not.
 */
static bool is_doubtful(const struct subject *s, const struct subject *other)
{
	const struct board_race *r = &other->race->seen;
	bool harmful = other->spec.found || other->output.found, found = depends_on(s, r->address);

	if (!harmful || s == other || s->enforced || s->elsewhere + s->spun < s->impossible)
		return false;
	for (uint32_t i = 0; i < r->ninstances && i < BOARD_INSTANCES; i++)
		found |= depends_on(s, r->instance[i].address);
	return found;
}

/*
 * It is not known whether the order of this race decides the failure. If another race is sure to cause this failure, it
 * belongs to that race. If another race is sure to cause one of this kind, it may belong to that race.
 */
static void yield_to_sure(const struct subjects *all, struct subject *s)
{
	const struct trial *mine = &s->spec.trial;
	bool same = false, alike = false;

	for (size_t i = 0; i < all->count; i++) {
		const struct finding *f = &all->list[i].spec;
		same |= f->found && f->sure && f->trial.signature == mine->signature;
		alike |= f->found && f->sure && f->trial.ending == mine->ending;
	}
	s->fails_before = same && is_in_the_way(s);
	s->unsure = alike && !same;
	s->spec.found = !alike;
}

void subjects_settle(struct subjects *subjects)
{
	struct subject *all = subjects->list;
	size_t count = subjects->count;
	bool output = false;

	for (size_t i = 0; i < count; i++)
		output |= all[i].output.found && all[i].output.sure;
	for (size_t i = 0; i < count; i++) {
		struct subject *s = &all[i];
		const struct trial *spec = &s->spec.trial;
		bool blamed = s->spec.found && (s->spec.sure || subject_is_blamed(s, spec->ending, spec->signature));
		if (s->tried && s->spec.found && !blamed)
			yield_to_sure(subjects, s);
		if (s->tried && s->output.found && !s->output.sure && output)
			s->output.found = false;
		if (s->spec.found && s->spec.before && s->spec.plan.order == PLAN_FIRST && !is_in_the_way(s))
			s->spec.found = false;
		if (is_irrelevant(s))
			s->spec.found = s->output.found = false;
	}
	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; k < count && all[i].impossible && !all[i].doubtful; k++)
			all[i].doubtful = is_doubtful(&all[i], &all[k]);
}

/* Each of the two accesses came first somewhere. */
static bool has_both_orders(const struct subject *s) { return s->orders == 3; }

/*
 * The thread that could not come first took another way, and it does come first in an execution that had taken that way
 * before.
 */
static bool is_order_open(const struct subject *s)
{
	return has_both_orders(s) && !s->flag && !s->budget && s->elsewhere && s->elsewhere == s->impossible;
}

static void take_evidence(struct verdict *v, struct finding *f)
{
	v->alternate = f->trial.execution;
	f->trial.execution = NULL;
	v->watch = f->watch;
	v->touch = f->touch;
}

static const char *replay_method(const struct subject *s)
{
	return s->failed                 ? "replay-failure"
	       : s->differ               ? "state-change"
	       : s->equal && !s->unclear ? "no-state-change"
	                                 : "replay-failure";
}

/* Where the order decides something the states differed, even if they were not compared there. */
static enum states states_of(const struct subject *s)
{
	bool decides = (s->spec.found && s->spec.sure) || (s->output.found && s->output.sure);

	return s->differ ? STATES_DIFFER : s->equal && !s->unclear && !decides ? STATES_EQUAL : STATES_UNKNOWN;
}

void subject_decide(struct subject *s, bool method)
{
	struct verdict *v = s->race->verdict = must_alloc(sizeof *v);

	s->flag &= history_waits(s->history);
	v->k = s->k;
	v->invented = s->invented;
	v->by_budget = s->budget;
	v->states = states_of(s);
	v->replay = method ? replay_method(s) : NULL;
	if (s->spec.found) {
		v->kind = VERDICT_SPEC;
		take_evidence(v, &s->spec);
	} else if (s->output.found) {
		v->kind = VERDICT_OUTPUT;
		v->difference = s->output.difference;
		s->output.difference = (struct difference){0};
		take_evidence(v, &s->output);
	} else if (s->unsure) {
		v->kind = VERDICT_UNKNOWN;
		snprintf(v->why, sizeof v->why,
		         "executions with the other order fail, and another race decides failures of that kind");
	} else if (s->lost && !s->tried) {
		v->kind = VERDICT_HARMLESS;
		v->lost = true;
	} else if (s->doubtful && !s->flag) {
		v->kind = VERDICT_UNKNOWN;
		snprintf(v->why, sizeof v->why,
		         "the other thread %s while the first is held, but what it goes by has a race that does harm",
		         s->spun ? "waits" : "takes another way");
	} else if (!s->enforced && is_order_open(s)) {
		v->kind = VERDICT_UNKNOWN;
		snprintf(v->why, sizeof v->why,
		         "both orders were seen, but from no execution that had the one could the other be made");
	} else if (s->flag || (!s->enforced && (s->impossible || s->budget))) {
		v->kind = VERDICT_SINGLE;
		v->rounds = has_both_orders(s) || s->threads == 3;
		v->adhoc = s->flag ? "flag" : s->blind ? NULL : "data";
		snprintf(v->why, sizeof v->why, "%s",
		         s->flag     ? "the read only waits for this write"
		         : s->budget ? "the other thread did not come to its access while the first was held, for much "
		                       "longer than "
		                       "the whole recording is"
		         : s->spun   ? "the other thread waits in a loop until the first access was made"
		                     : "the other thread cannot get to its access before the first was made");
	} else if (!s->k) {
		v->kind = VERDICT_UNKNOWN;
		snprintf(v->why, sizeof v->why, "%s", s->why[0] ? s->why : "the replay did not come to it");
	} else if ((s->unknown == s->k && !is_same_after(s)) || !s->enforced) {
		v->kind = VERDICT_UNKNOWN;
		snprintf(v->why, sizeof v->why, "%s",
		         s->fails_before
		                 ? "on the way to the other order the program fails, and another race decides that"
		                 : "no execution with the other order came to its end");
	} else if (!s->clean && (s->differ || s->unclear || !s->equal)) {
		v->kind = VERDICT_UNKNOWN;
		snprintf(v->why, sizeof v->why, "every execution ends in a violation that the recorded one has, too");
	} else {
		v->kind = VERDICT_HARMLESS;
		v->timed = s->timed;
		v->varies = s->noisy;
	}
}

/* The write is made after the double check of another race, with its lock held. */
static bool is_behind_check(const struct subjects *all, const struct subject *s)
{
	const struct board_access *a = s->race->seen.access, *w = &a[a[0].flags & ACCESS_WRITE ? 0 : 1];

	for (size_t i = 0; i < all->count && !s->spun; i++)
		for (uint32_t k = 0; k < w->nlocks && k < BOARD_LOCKS; k++)
			if (all->list[i].race->verdict->kind == VERDICT_HARMLESS &&
			    history_checks(all->list[i].history, w->lock[k]))
				return true;
	return false;
}

void subject_explain(const struct subjects *all, struct subject *s)
{
	struct verdict *v = s->race->verdict;

	if (v->kind == VERDICT_HARMLESS)
		v->pattern = history_pattern(s->history);
	if (v->kind == VERDICT_SINGLE && v->adhoc)
		v->pattern = !s->flag && is_behind_check(all, s) ? PATTERN_DOUBLE_CHECK : PATTERN_USER_SYNC;
}
