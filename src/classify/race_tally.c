#include "classify/race_tally.h"

#include <stdio.h>
#include <stdlib.h>

#include "classify/journal.h"

#define IMPOSSIBLE_TRIALS 16 /* trials that failed for a known reason, until the other order counts as impossible */

struct race_tally *tally_of(struct race_tallies *all, struct race *r)
{
	for (size_t i = 0; i < all->count; i++)
		if (all->list[i].race == r)
			return &all->list[i];
	all->list = must_resize(all->list, (all->count + 1) * sizeof *all->list);
	struct race_tally *tally = &all->list[all->count++];
	*tally = (struct race_tally){.race = r};
	journal_recall(all->journal, tally);
	return tally;
}

void tallies_free(struct race_tallies *all)
{
	for (size_t i = 0; i < all->count; i++) {
		struct race_tally *tally = &all->list[i];
		finding_free(&tally->spec);
		finding_free(&tally->output);
		access_history_free(tally->accesses);
	}
	free(all->list);
	*all = (struct race_tallies){0};
}

static bool is_same_access(const struct board_access *a, const struct board_access *b)
{
	return access_place(a) == access_place(b) && !((a->flags ^ b->flags) & ACCESS_KIND);
}

void tally_note_orders(struct race_tally *tally, const struct board_race *seen)
{
	const struct board_access *own = tally->race->seen.access;

	for (uint32_t i = 0; i < seen->ninstances && i < BOARD_INSTANCES; i++) {
		const struct board_instance *at = &seen->instance[i];
		const struct board_access *first = &seen->access[at->swapped ? 1 : 0];
		tally->thread_orders_seen |= at->fiber[0] < at->fiber[1] ? 1 : 2;
		if (!is_same_access(&own[0], &own[1])) /* otherwise the two cannot be told apart */
			tally->orders_seen |= is_same_access(first, &own[0]) ? 1 : 2;
	}
}

bool tally_is_decided(const struct race_tally *tally, uint64_t k)
{
	bool impossible = !tally->enforced && tally->impossible >= tally->took_other_way + IMPOSSIBLE_TRIALS &&
	                  !tally->out_of_budget;

	return tally->spec.sure || tally->read_only_waits || impossible || tally->k >= 3 * k;
}

struct failure_blame *tally_failure(struct race_tally *tally, uint32_t ending, uint64_t signature)
{
	for (uint32_t i = 0; i < tally->nfailures; i++)
		if (tally->failures[i].ending == ending && tally->failures[i].signature == signature)
			return &tally->failures[i];
	if (tally->nfailures == TALLY_FAILURES)
		return NULL;
	struct failure_blame *b = &tally->failures[tally->nfailures++];
	*b = (struct failure_blame){.ending = ending, .signature = signature};
	return b;
}

enum blame blame_of(const struct failure_blame *b)
{
	return b->both ? BLAME_NO_RACE : b->decided ? BLAME_RACE : BLAME_UNKNOWN;
}

bool tally_causes(const struct race_tally *tally, uint32_t ending, uint64_t signature)
{
	for (uint32_t i = 0; i < tally->nfailures; i++)
		if (tally->failures[i].ending == ending && tally->failures[i].signature == signature)
			return blame_of(&tally->failures[i]) == BLAME_RACE;
	return false;
}

/* Every trial of one of the two orders fails before it makes that order. */
static bool prevents_order(const struct race_tally *tally)
{
	bool never =
	        tally->spec.plan.order == PLAN_FIRST ? !tally->recorded_made : !tally->enforced && !tally->impossible;

	return tally->spec.before && never && !tally->out_of_budget;
}

/* Wherever states were compared, they are the same after both orders. */
static bool are_states_equal(const struct race_tally *tally)
{
	return tally->states_equal && !tally->states_differ && !tally->states_unclear && !tally->states_uncompared;
}

/* If so, nothing that follows depends on the order, however far an execution came. */
static bool decides_nothing(const struct race_tally *tally)
{
	return are_states_equal(tally) && !tally->spec.sure && !tally->output.sure;
}

static bool has_read(const struct race_tally *tally, uint64_t address)
{
	uint32_t bit = word_read_bit(address);

	return tally->words_read[bit / 64] >> bit % 64 & 1;
}

/* The thread read this address on its other way, or waited for it, while the first thread was held. */
static bool depends_on(const struct race_tally *tally, uint64_t address)
{
	return (tally->spins && address == tally->race->seen.address) || has_read(tally, address);
}

/*
 * The other thread takes another way or waits because of what the held thread wrote before (it took a block, or holds a
 * lock of the program's own). This excludes the other order only if the taking itself is atomic. A harmful race on
 * those words says that it is not.
 */
static bool is_doubtful(const struct race_tally *tally, const struct race_tally *other)
{
	const struct board_race *r = &other->race->seen;
	bool harmful = other->spec.found || other->output.found, found = depends_on(tally, r->address);

	if (!harmful || tally == other || tally->enforced || tally->took_other_way + tally->spins < tally->impossible)
		return false;
	for (uint32_t i = 0; i < r->ninstances && i < BOARD_INSTANCES; i++)
		found |= depends_on(tally, r->instance[i].address);
	return found;
}

/*
 * It is not known whether the order of this race decides the failure. If another race is sure to cause this failure, it
 * belongs to that race. If another race is sure to cause one of this kind, it may belong to that race.
 */
static void yield_to_sure(const struct race_tallies *all, struct race_tally *tally)
{
	const struct trial *mine = &tally->spec.trial;
	bool same = false, alike = false;

	for (size_t i = 0; i < all->count; i++) {
		const struct finding *f = &all->list[i].spec;
		same |= f->found && f->sure && f->trial.signature == mine->signature;
		alike |= f->found && f->sure && f->trial.ending == mine->ending;
	}
	tally->fails_before = same && prevents_order(tally);
	tally->unsure = alike && !same;
	tally->spec.found = !alike;
}

void tallies_settle(struct race_tallies *tallies)
{
	struct race_tally *all = tallies->list;
	size_t count = tallies->count;
	bool output = false;

	for (size_t i = 0; i < count; i++)
		output |= all[i].output.found && all[i].output.sure;
	for (size_t i = 0; i < count; i++) {
		struct race_tally *tally = &all[i];
		const struct trial *spec = &tally->spec.trial;
		bool blamed =
		        tally->spec.found && (tally->spec.sure || tally_causes(tally, spec->ending, spec->signature));
		if (tally->tried && tally->spec.found && !blamed)
			yield_to_sure(tallies, tally);
		if (tally->tried && tally->output.found && !tally->output.sure && output)
			tally->output.found = false;
		if (tally->spec.found && tally->spec.before && tally->spec.plan.order == PLAN_FIRST &&
		    !prevents_order(tally))
			tally->spec.found = false;
		if (decides_nothing(tally))
			tally->spec.found = tally->output.found = false;
	}
	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; k < count && all[i].impossible && !all[i].doubtful; k++)
			all[i].doubtful = is_doubtful(&all[i], &all[k]);
}

/* Each of the two accesses came first somewhere. */
static bool has_both_orders(const struct race_tally *tally) { return tally->orders_seen == 3; }

/*
 * The thread that could not come first took another way, and it does come first in an execution that had taken that way
 * before.
 */
static bool is_order_open(const struct race_tally *tally)
{
	return has_both_orders(tally) && !tally->read_only_waits && !tally->out_of_budget && tally->took_other_way &&
	       tally->took_other_way == tally->impossible;
}

static void give_evidence(struct verdict *v, struct finding *f)
{
	v->alternate = f->trial.execution;
	f->trial.execution = NULL;
	v->watch = f->watch;
	v->touch = f->touch;
}

static const char *replay_method(const struct race_tally *tally)
{
	return tally->states_uncompared                        ? "replay-failure"
	       : tally->states_differ                          ? "state-change"
	       : tally->states_equal && !tally->states_unclear ? "no-state-change"
	                                                       : "replay-failure";
}

/* Where the order decides something the states differed, even if they were not compared there. */
static enum states known_states(const struct race_tally *tally)
{
	bool decides = (tally->spec.found && tally->spec.sure) || (tally->output.found && tally->output.sure);

	return tally->states_differ                                        ? STATES_DIFFER
	       : tally->states_equal && !tally->states_unclear && !decides ? STATES_EQUAL
	                                                                   : STATES_UNKNOWN;
}

static void set_unknown(struct verdict *v, const char *why)
{
	v->kind = VERDICT_UNKNOWN;
	snprintf(v->why, sizeof v->why, "%s", why);
}

static void set_single(struct verdict *v, const struct race_tally *tally)
{
	const char *why = "the other thread cannot get to its access before the first was made";

	if (tally->read_only_waits)
		why = "the read only waits for this write";
	else if (tally->out_of_budget)
		why = "the other thread did not come to its access while the first was held, for much longer than the "
		      "whole recording is";
	else if (tally->spins)
		why = "the other thread waits in a loop until the first access was made";
	v->kind = VERDICT_SINGLE;
	v->rounds = has_both_orders(tally) || tally->thread_orders_seen == 3;
	v->adhoc = tally->read_only_waits ? "flag" : tally->blind ? NULL : "data";
	snprintf(v->why, sizeof v->why, "%s", why);
}

/* The verdict of a race without a finding. */
static void decide_without_finding(struct verdict *v, const struct race_tally *tally)
{
	if (tally->unsure) {
		set_unknown(v, "executions with the other order fail, and another race decides failures of that kind");
	} else if (tally->fails_either_way && !tally->tried) {
		v->kind = VERDICT_HARMLESS;
		v->lost = true;
	} else if (tally->doubtful && !tally->read_only_waits) {
		set_unknown(v,
		            tally->spins
		                    ? "the other thread waits while the first is held, but a value that it reads has a "
		                      "race that does harm"
		                    : "the other thread takes another way while the first is held, but a value that it "
		                      "reads has a race that does harm");
	} else if (!tally->enforced && is_order_open(tally)) {
		set_unknown(v, "both orders were seen, but from no execution that had the one could the other be made");
	} else if (tally->read_only_waits || (!tally->enforced && (tally->impossible || tally->out_of_budget))) {
		set_single(v, tally);
	} else if (!tally->k) {
		set_unknown(v, tally->why[0] ? tally->why : "the replay did not come to it");
	} else if ((tally->inconclusive == tally->k && !are_states_equal(tally)) || !tally->enforced) {
		set_unknown(v, tally->fails_before ? "on the way to the other order the program fails, and another "
		                                     "race decides that"
		                                   : "no execution with the other order came to its end");
	} else if (!tally->completed && (tally->states_differ || tally->states_unclear || !tally->states_equal)) {
		set_unknown(v, "every execution ends in a violation that the recorded one has, too");
	} else {
		v->kind = VERDICT_HARMLESS;
		v->timed = tally->clocks_ignored;
		v->varies = tally->varying_ignored;
	}
}

void tally_decide_verdict(struct race_tally *tally, bool method)
{
	struct verdict *v = tally->race->verdict = must_alloc(sizeof *v);

	tally->read_only_waits &= access_history_read_follows(tally->accesses);
	v->k = tally->k;
	v->invented = tally->invented;
	v->by_budget = tally->out_of_budget;
	v->states = known_states(tally);
	v->replay = method ? replay_method(tally) : NULL;
	if (tally->spec.found) {
		v->kind = VERDICT_SPEC;
		give_evidence(v, &tally->spec);
	} else if (tally->output.found) {
		v->kind = VERDICT_OUTPUT;
		v->difference = tally->output.difference;
		tally->output.difference = (struct difference){0};
		give_evidence(v, &tally->output);
	} else {
		decide_without_finding(v, tally);
	}
}

/* The write is made after the double check of another race, with its lock held. */
static bool is_behind_check(const struct race_tallies *all, const struct race_tally *tally)
{
	const struct board_access *a = tally->race->seen.access, *w = &a[a[0].flags & ACCESS_WRITE ? 0 : 1];

	for (size_t i = 0; i < all->count && !tally->spins; i++)
		for (uint32_t k = 0; k < w->nlocks && k < BOARD_LOCKS; k++)
			if (all->list[i].race->verdict->kind == VERDICT_HARMLESS &&
			    access_history_double_checks(all->list[i].accesses, w->lock[k]))
				return true;
	return false;
}

void tally_find_pattern(const struct race_tallies *all, struct race_tally *tally)
{
	struct verdict *v = tally->race->verdict;

	if (v->kind == VERDICT_HARMLESS)
		v->pattern = access_history_pattern(tally->accesses);
	if (v->kind == VERDICT_SINGLE && v->adhoc)
		v->pattern = !tally->read_only_waits && is_behind_check(all, tally) ? PATTERN_DOUBLE_CHECK
		                                                                    : PATTERN_USER_SYNC;
}
