/*
 * The order in which everything is tried (docs/design.md, "Classification"): first the recorded execution, then other
 * primaries, then what these leave open, then the verdicts.
 *
 * The verdict of a race comes from executions that make its two accesses in the other order. What happens in one order
 * only is caused by this race. What happens in both orders is blamed on another race if the order of that race is sure
 * to decide it; otherwise it counts for this one.
 */
#include "classify/classify.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "classify/difference.h"
#include "classify/order_effects.h"
#include "classify/all_interleavings.h"
#include "classify/failure_list.h"
#include "classify/journal.h"
#include "classify/minimise.h"
#include "classify/predicted_races.h"
#include "classify/primaries.h"
#include "classify/interleaving_proof.h"
#include "run/progress.h"

#define HARD_LIMIT     1.5   /* budgets: the limit for everything, with the report */
#define REPORT_SECONDS 0.002 /* seconds to name one race and to write its evidence */

#define SWEEPS_MOST 2 /* primaries in which one race is swept */

#define PREDICTION_SHARE   4   /* the part of the budget that prediction gets */
#define PREDICTION_SECONDS 2.0 /* the time limit for one pair of places */

/* Finds out which of the races this primary has. */
static void find_races_in(struct races *races, struct race_tallies *all, const struct primary *p)
{
	for (size_t i = 0; i < races->count; i++)
		tally_of(all, races->list[i])->seen = NULL;
	for (uint32_t i = 0; i < p->count; i++) {
		const struct board_race *b = &p->races[i];
		uint64_t place[2] = {access_place(&b->access[0]), access_place(&b->access[1])};
		uint32_t flags[2] = {b->access[0].flags, b->access[1].flags};
		for (size_t k = 0; k < all->count; k++)
			if (race_is(&all->list[k].race->seen, place, flags) && b->ninstances) {
				all->list[k].seen = b;
				tally_note_orders(&all->list[k], b);
			}
	}
}

/* Publishes the number of known races: they take time to report. */
static void publish_known(struct classifier *c, size_t known, size_t open)
{
	__atomic_store_n(&c->known_races, known, __ATOMIC_RELAXED);
	progress_races(known, open);
}

/* Tries the races that this primary has. */
static void try_primary(struct classifier *c, struct races *races, struct race_tallies *all, const struct primary *p)
{
	bool open = false;

	find_races_in(races, all, p);
	for (size_t i = 0; i < all->count; i++)
		access_history_add(&all->list[i].accesses, all->list[i].race->seen.access, p->execution);
	for (size_t i = 0; i < all->count; i++) {
		if (tally_is_decided(&all->list[i], c->config->k))
			all->list[i].seen = NULL;
		open |= all->list[i].seen != NULL;
	}
	size_t decided = 0;
	for (size_t i = 0; i < all->count; i++)
		decided += tally_is_decided(&all->list[i], c->config->k);
	publish_known(c, all->count, all->count - decided);
	progress_doing("trying the two orders of races");
	if (open)
		workers_run(c, p, all, WORK_ORDERS);
}

static struct trial trial_of(const struct board_result *r)
{
	return (struct trial){.ending = r->ending, .status = r->status, .signature = r->signature};
}

/* It is known why the execution fails: it fails without any race too, or the order of a known race decides it. */
static bool is_failure_explained(const struct race_tallies *all, const struct board_result *r)
{
	for (size_t i = 0; i < all->count; i++)
		if (tally_causes(&all->list[i], r->ending, r->signature))
			return true;
	return false;
}

/* The innermost frame of the stack is the access itself, or the address where its call returns. */
static bool is_stack_of_access(const struct board_stack *stack, const struct board_access *a)
{
	return stack->depth && a->stack.depth && stack->pc[0] - a->stack.pc[0] <= 1;
}

/* The execution fails at an access of the race, because of what the other access did to the memory. */
static bool is_at_access(const struct race_tally *tally, const struct board_result *r)
{
	const struct board_access *a = tally->seen->access;

	return r->ending == ENDING_MEMORY && r->nstacks &&
	       (is_stack_of_access(&r->stacks[0], &a[0]) || is_stack_of_access(&r->stacks[0], &a[1]));
}

/* One access of the race frees a block, and the execution fails where the other access, of another thread, uses it. */
static bool is_use_after_free(const struct race_tally *tally, const struct board_result *r)
{
	const struct board_access *a = tally->race->seen.access;
	bool found = false;

	if (r->ending != ENDING_MEMORY || !r->nstacks || r->freed.fiber == r->stacks[0].fiber)
		return false;
	for (int i = 0; i < 2; i++)
		found |= (a[i].flags & ACCESS_FREE) && is_stack_of_access(&r->freed, &a[i]) &&
		         is_stack_of_access(&r->stacks[0], &a[1 - i]);
	return found;
}

static struct execution *execution_of(const struct failure *f)
{
	const struct execution shown = {.result = f->result,
	                                .schedule = f->schedule,
	                                .departs_at = f->departure.at,
	                                .every = f->departure.every,
	                                .unchecked = f->departure.check == CHECK_OFF,
	                                .fails_at = f->result->passable,
	                                .event_budget = f->departure.event_budget,
	                                .lost_entries = f->lost_entries};

	return execution_copy(&shown);
}

/*
 * A race of a free with a use: an execution that fails at the use of the freed block has the bad order, whatever race
 * it was made for, and this order is the cause of the failure.
 */
static void take_uses_after_frees(struct classifier *c, const struct race_tallies *all)
{
	for (size_t k = 0; c->failures && k < c->failures->count; k++) {
		const struct failure *f = c->failures->list[k];
		for (size_t i = 0; i < all->count; i++) {
			struct race_tally *tally = &all->list[i];
			if (tally->spec.found || f->own || f->constant || f->lost ||
			    !is_use_after_free(tally, f->result))
				continue;
			tally->spec = (struct finding){.found = true,
			                               .sure = true,
			                               .watch = f->departure.watch,
			                               .touch = f->departure.touch,
			                               .trial = trial_of(f->result)};
			tally->spec.trial.execution = execution_of(f);
			tally->k++;
		}
	}
}

/* A race that was seen only in executions that fail: is the race the cause? */
static void suspect_race(struct race_tally *tally, const struct primary *p, bool own)
{
	const struct board_result *r = p->execution->result;
	struct failure_blame *b = tally_failure(tally, r->ending, r->signature);
	bool blamed = !own && b && blame_of(b) == BLAME_RACE;

	if (tally->spec.found)
		return;
	if (is_at_access(tally, r) || blamed) {
		if (b)
			b->decided = true;
		tally->k++;
		tally->spec = (struct finding){.found = true, .watch = race_watch(tally->seen), .trial = trial_of(r)};
		tally->spec.trial.execution = execution_copy(p->execution);
	} else if (b && b->stays) {
		tally->fails_either_way = true;
		tally->k += b->stays;
	} else {
		snprintf(tally->why, sizeof tally->why,
		         "it was seen only in executions that fail, and none of them could be made with the other "
		         "order");
	}
}

/*
 * The primary itself fails, so nothing can be compared with it. Asks instead whether the order of a race is the cause.
 */
static void blame_failing_primary(struct classifier *c, struct races *races, struct race_tallies *all,
                                  const struct primary *p)
{
	const struct board_result *r = p->execution->result;
	bool own = failure_list_is_raceless(c, r->ending, r->signature), known = own || is_failure_explained(all, r);

	find_races_in(races, all, p);
	for (size_t i = 0; i < all->count; i++)
		if (all->list[i].tried && known)
			all->list[i].seen = NULL;
	if (p->count)
		workers_run(c, p, all, WORK_BLAME);
	for (size_t i = 0; i < all->count; i++) {
		struct race_tally *tally = &all->list[i];
		if (!tally->seen || tally->tried)
			continue;
		const struct unit u = journal_unit(p->key, tally, &(struct board_instance){0}, UNIT_ORDERS);
		if (journal_has(c->journal, &u))
			continue;
		suspect_race(tally, p, own);
		journal_note_tally(c->journal, &u, tally);
	}
}

double classifier_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

void classifier_count_execution(struct classifier *c)
{
	progress_executions(__atomic_add_fetch(&c->journal->executions, 1, __ATOMIC_RELAXED));
}

double classifier_hard_limit(double budget, size_t races)
{
	double reporting = (double)races * REPORT_SECONDS,
	       limit = budget * HARD_LIMIT - (reporting > budget / 4 ? reporting : budget / 4);

	return limit > budget / 2 ? limit : budget / 2;
}

static bool is_past(const struct classifier *c, double seconds)
{
	return *c->stop || classifier_now() - c->start > seconds;
}

bool classifier_must_give_up(const struct classifier *c)
{
	double budget = (double)c->config->budget_seconds;

	return is_past(c, classifier_hard_limit(budget, __atomic_load_n(&c->known_races, __ATOMIC_RELAXED)));
}

bool classifier_out_of_time(const struct classifier *c)
{
	return is_past(c, (double)c->config->budget_seconds) || classifier_must_give_up(c);
}

/* The primaries that were tried. They are kept because more is tried in them at the end. */
struct tried_primaries {
	struct primary *list;
	size_t count;
};

static void tried_primaries_free(struct tried_primaries *p)
{
	for (size_t i = 0; i < p->count; i++) {
		struct primary *one = &p->list[i];
		free(one->races);
		if (one->execution->departs_at && !--one->execution->races)
			execution_free(one->execution);
	}
	free(p->list);
}

static struct primary *add_primary(struct tried_primaries *all, struct execution *x)
{
	all->list = must_resize(all->list, (all->count + 1) * sizeof *all->list);
	struct primary *p = &all->list[all->count++];
	*p = (struct primary){.execution = x, .key = journal_key(x)};
	return p;
}

/* `found_by`: what the report says about races that only this primary has. */
static void try_other_primary(struct classifier *c, struct races *races, struct race_tallies *all,
                              struct tried_primaries *tried, struct execution *x, const char *found_by)
{
	struct primary *p = add_primary(tried, x);
	size_t known = races->count;
	struct trial recorded = trial_of(c->recorded), this = trial_of(x->result);
	struct error e;

	/* an execution that was given up, or for which the recording had no answers, is no base for a comparison */
	if (!trial_is_complete(&this) && !trial_is_violation(&this) && this.ending != ENDING_ENDED)
		return;
	if (classifier_out_of_time(c) || !primary_explain(c, races, p, &e))
		return;
	for (; known < races->count; known++)
		races->list[known]->found_by = found_by;
	p->fails = trial_is_violation(&this) && !trial_same_violation(&this, &recorded);
	if (!p->fails)
		try_primary(c, races, all, p);
}

static void try_recorded(struct classifier *c, struct races *races, struct race_tallies *all,
                         struct tried_primaries *tried, struct execution *x)
{
	struct primary *p = add_primary(tried, x);

	p->races = must_alloc((races->count + 1) * sizeof *p->races);
	for (size_t i = 0; i < races->count; i++)
		if (races->list[i]->execution == x && races->list[i]->seen.explained)
			p->races[p->count++] = races->list[i]->seen;
	try_primary(c, races, all, p);
}

/* The other order is possible and leads to another state, but nothing was found that another race cannot claim. */
static bool wants_more(const struct classifier *c, const struct race_tally *tally)
{
	return tally->seen && tally->enforced && (tally->states_differ || tally->states_unclear) && !tally->spec.sure &&
	       !tally->output.found && tally->k < c->config->k && !tally_is_decided(tally, c->config->k);
}

/* Makes the missing executions of those that the user asked for, where the primaries did not need all. */
static void try_rest(struct classifier *c, struct races *races, struct race_tallies *all, const struct primary *p)
{
	bool open = false;

	find_races_in(races, all, p);
	for (size_t i = 0; i < all->count; i++) {
		if (!wants_more(c, &all->list[i]))
			all->list[i].seen = NULL;
		open |= all->list[i].seen != NULL;
	}
	if (open)
		workers_run(c, p, all, WORK_REST);
}

/* A failure may come in one round out of many, so the tried instances may miss it. Each race is swept at most twice. */
static void sweep_primary(struct classifier *c, struct races *races, struct race_tallies *all, const struct primary *p)
{
	bool open = false;

	find_races_in(races, all, p);
	for (size_t i = 0; i < all->count; i++) {
		struct race_tally *tally = &all->list[i];
		if (tally->spec.sure || tally->read_only_waits || !tally->enforced || tally->sweeps == SWEEPS_MOST)
			tally->seen = NULL;
		tally->sweeps += tally->seen != NULL;
		open |= tally->seen != NULL;
	}
	if (open)
		workers_run(c, p, all, WORK_SWEEP);
}

/* Takes the other primaries from an earlier triage, or chooses them now. */
static void choose_others(struct classifier *c, const struct execution *recorded, struct chosen_primaries *others)
{
	uint64_t most = c->config->primaries;

	if (journal_take_chosen(c->journal, &c->all, &others->list, &others->count))
		return;
	progress_doing("executing all interleavings");
	if (!all_interleavings_execute(c, recorded, most, others, &(struct error){{0}})) {
		progress_doing("looking for other executions");
		primaries_choose(c, recorded, most, others, &(struct error){{0}});
	}
	if (classifier_out_of_time(c))
		return;
	failure_list_save(c);
	journal_note_all(c->journal, &c->all);
	journal_note_chosen(c->journal, others->list, others->count);
}

/*
 * Races that appeared behind the other order of a race are tried in primaries of their own. These may show more such
 * races.
 */
static void follow_leads(struct classifier *c, struct races *races, struct race_tallies *all,
                         struct tried_primaries *tried)
{
	for (size_t i = 0; i < c->leads.count && !classifier_out_of_time(c); i++) {
		struct execution *x = execution_make_undirected(c, c->leads.list[i]);
		if (!x)
			continue;
		failure_list_save(c);
		journal_note_chosen(c->journal, &x, 1);
		try_other_primary(c, races, all, tried, x, "explored");
	}
}

struct prediction_deadline {
	const struct classifier *classifier;
	double until;
};

static bool has_time_to_predict(void *context, uint32_t event, size_t asked, size_t found)
{
	const struct prediction_deadline *f = context;

	(void)event, (void)asked, (void)found;
	return !*f->classifier->stop && classifier_now() < f->until;
}

/* Predicts races of other schedules. Each one that an execution confirms is tried in that execution. */
static void follow_predictions(struct classifier *c, const struct execution *recorded, struct races *races,
                               struct race_tallies *all, struct tried_primaries *tried)
{
	struct prediction_deadline f = {c, classifier_now() + (double)c->config->budget_seconds / PREDICTION_SHARE};
	const struct maximal_options options = {
	        .seconds = PREDICTION_SECONDS, .progress = has_time_to_predict, .context = &f};
	struct predicted p;
	struct error e;

	if (!c->config->predict || c->all.complete || classifier_out_of_time(c))
		return;
	progress_doing("predicting races of other schedules");
	bool ok = predicted_find(c, recorded, TIER_MAXIMAL, &options, &p, &e);
	if (ok)
		predicted_confirm(c, recorded, races, &p);
	for (size_t i = 0; ok && i < p.prediction.pairs.count; i++) {
		struct execution *x = p.executions[i];
		if (!x)
			continue;
		p.executions[i] = NULL;
		failure_list_save(c);
		journal_note_chosen(c->journal, &x, 1);
		try_other_primary(c, races, all, tried, x, "predicted");
	}
	predicted_free(&p);
}

/* If only one thread is left, what it reads is not known, so such an execution is not considered. */
static bool has_several_threads(const struct finding *f)
{
	return f->trial.execution && f->trial.execution->result->nstacks > 1;
}

/*
 * Withdraws findings that no race causes. A failure that also comes with all races in the recorded order belongs to no
 * race, unless the order of one race was seen to decide it. Such a decision can be chance; where no thread can observe
 * the order of the two accesses, it is.
 */
static void withdraw_uncaused(struct classifier *c, const struct race_tallies *all)
{
	for (size_t i = 0; i < all->count; i++) {
		struct race_tally *tally = &all->list[i];
		struct finding *f = &tally->spec;
		bool own = failure_list_is_raceless(c, f->trial.ending, f->trial.signature);
		if (f->found && tally->tried && !f->before && has_several_threads(f) &&
		    access_history_hides_order(tally->accesses, tally->race->execution->result)) {
			f->found = false;
			tally->nfailures = 0;
		}
		if (f->found && !f->sure && own)
			f->found = false;
	}
}

/* Notes for each failure which races cause it. */
static void assign_failures(struct classifier *c, const struct race_tallies *all)
{
	for (size_t k = 0; c->failures && k < c->failures->count; k++) {
		struct failure *f = c->failures->list[k];
		struct trial this = trial_of(f->result);
		for (size_t i = 0; i < all->count; i++) {
			const struct race_tally *tally = &all->list[i];
			const struct verdict *v = tally->race->verdict;
			enum blame proven = proof_blame(c, tally, f);
			if (v->kind != VERDICT_SPEC || !v->alternate || proven == BLAME_NO_RACE)
				continue;
			struct trial shown = trial_of(v->alternate->result);
			if ((f->own || f->constant || !trial_same_violation(&shown, &this)) &&
			    !tally_causes(tally, this.ending, this.signature) && proven != BLAME_RACE)
				continue;
			f->races = must_resize(f->races, (f->nraces + 1) * sizeof *f->races);
			f->races[f->nraces++] = tally->race;
		}
	}
}

/*
 * The evidence of several races is reduced at once, by as many threads as there are jobs: the pieces are independent.
 */
struct reduction {
	struct classifier *classifier;
	const struct race_tallies *all;
	size_t next;
};

static void *reduce_some(void *arg)
{
	struct reduction *r = arg;

	for (size_t i; (i = __atomic_fetch_add(&r->next, 1, __ATOMIC_RELAXED)) < r->all->count;) {
		const struct race_tally *tally = &r->all->list[i];
		if (tally->race->verdict->alternate)
			minimise_evidence(r->classifier, tally->spec.found ? &tally->spec : &tally->output,
			                  tally->race->verdict);
	}
	return NULL;
}

static void reduce_all(struct classifier *c, const struct race_tallies *all)
{
	struct reduction r = {.classifier = c, .all = all};
	size_t jobs = c->config->jobs < all->count ? c->config->jobs : all->count, started = 0;
	pthread_t *threads = must_alloc((jobs + 1) * sizeof *threads);

	while (started + 1 < jobs && !pthread_create(&threads[started], NULL, reduce_some, &r))
		started++;
	reduce_some(&r);
	while (started)
		pthread_join(threads[--started], NULL);
	free(threads);
}

void classify(struct classifier *c, struct races *races, const struct failure *kept)
{
	struct race_tallies all = {.journal = c->journal};

	c->start = c->config->since ? c->config->since : classifier_now();
	c->recorded = kept->result;
	/* an execution without races is not in a race's list, so it gets a structure here */
	struct execution plain = {
	        .result = kept->result, .schedule = kept->schedule, .lost_entries = kept->lost_entries};
	struct execution *recorded = races->count ? races->list[0]->execution : &plain;
	recorded->races++; /* keep it, even if better evidence is found for all its races */

	if (c->input->log && !recorded->lost_entries) {
		struct chosen_primaries others = {0};
		struct tried_primaries tried = {0};
		if (c->failures)
			journal_take_failures(c->journal, c->failures);
		publish_known(c, races->count, races->count);
		progress_doing("replaying the recorded execution");
		failure_list_find_constant(c, recorded);
		primaries_measure(c, recorded);
		try_recorded(c, races, &all, &tried, recorded);
		choose_others(c, recorded, &others);
		for (size_t i = 0; i < others.count; i++)
			try_other_primary(c, races, &all, &tried, others.list[i], "explored");
		free(others.list);
		free(others.orders);
		follow_predictions(c, recorded, races, &all, &tried);
		follow_leads(c, races, &all, &tried);
		for (size_t i = 0; i < tried.count && !classifier_out_of_time(c); i++)
			if (!tried.list[i].fails)
				try_rest(c, races, &all, &tried.list[i]);
		for (size_t i = 0; i < tried.count && !classifier_out_of_time(c) && !c->all.complete; i++)
			if (!tried.list[i].fails)
				sweep_primary(c, races, &all, &tried.list[i]);
		progress_doing("asking what fails without a race");
		failure_list_find_raceless(c, recorded);
		for (size_t i = 0; i < tried.count; i++)
			if (tried.list[i].fails)
				blame_failing_primary(c, races, &all, &tried.list[i]);
		tried_primaries_free(&tried);
	}
	for (size_t i = 0; i < races->count; i++)
		tally_of(&all, races->list[i]);
	take_uses_after_frees(c, &all);
	withdraw_uncaused(c, &all);
	tallies_settle(&all);
	for (size_t i = 0; i < all.count; i++) {
		struct race_tally *tally = &all.list[i];
		if (!c->input->log)
			snprintf(tally->why, sizeof tally->why, "there is no log of the execution");
		tally->blind = c->config->blind;
		proof_find(c, tally);
		if (tally->output.found && !tally->spec.found)
			difference_find(c, &tally->output);
		tally_decide_verdict(tally, c->config->method);
		if (tally->race->verdict->kind == VERDICT_HARMLESS && interleavings_agree(&c->all))
			tally->race->verdict->interleavings = c->all.count;
		proof_settle(c, tally);
	}
	proof_check(c, &all);
	progress_doing("reducing evidence");
	reduce_all(c, &all);
	for (size_t i = 0; i < all.count; i++)
		tally_find_pattern(&all, &all.list[i]);
	assign_failures(c, &all);
	effects_free(c->all.effects);
	c->all.effects = NULL;
	tallies_free(&all);
	for (size_t i = 0; i < c->leads.count; i++)
		execution_free(c->leads.list[i]);
	if (!--recorded->races && recorded != &plain)
		execution_free(recorded);
	c->seconds = classifier_now() - c->start;
}
