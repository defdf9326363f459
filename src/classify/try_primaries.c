#include "classify/try_primaries.h"

#include <stdlib.h>

#include "classify/all_interleavings.h"
#include "classify/failure_list.h"
#include "classify/journal.h"
#include "classify/minimise.h"
#include "classify/predicted_races.h"
#include "classify/primaries.h"
#include "classify/race_failures.h"
#include "run/progress.h"

#define SWEEPS_MOST        2   /* primaries in which one race is swept */
#define PREDICTION_SHARE   4   /* the part of the budget that prediction gets */
#define PREDICTION_SECONDS 2.0 /* the time limit for one pair of places */

/* The primaries that were tried. They are kept because more is tried in them at the end. */
struct tried_primaries {
	struct primary *list;
	size_t count;
};

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
	struct trial recorded = trial_of_result(c->recorded), this = trial_of_result(x->result);
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

	if (journal_take_chosen(c->journal, &c->interleavings, &others->list, &others->count))
		return;
	progress_doing("executing all interleavings");
	if (!all_interleavings_execute(c, recorded, most, others, &(struct error){{0}})) {
		progress_doing("looking for other executions");
		primaries_choose(c, recorded, most, others, &(struct error){{0}});
	}
	if (classifier_out_of_time(c))
		return;
	failure_list_save(c);
	journal_note_interleavings(c->journal, &c->interleavings);
	journal_note_chosen(c->journal, others->list, others->count);
}

/*
 * Races that appeared after the other order of a race are tried in primaries of their own. These may show more such
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

	if (!c->config->predict || c->interleavings.complete || classifier_out_of_time(c))
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

/*
 * The primary itself fails, so nothing can be compared with it. Asks instead whether the order of a race is the cause.
 */
static void blame_failing_primary(struct classifier *c, struct races *races, struct race_tallies *all,
                                  const struct primary *p)
{
	const struct board_result *r = p->execution->result;
	bool raceless = failure_list_is_raceless(c, r->ending, r->signature),
	     known = raceless || race_failures_explain(all, r);

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
		race_failures_suspect(tally, p, raceless);
		journal_note_tally(c->journal, &u, tally);
	}
}

void try_primaries(struct classifier *c, struct execution *recorded, struct races *races, struct race_tallies *all)
{
	struct chosen_primaries others = {0};
	struct tried_primaries tried = {0};

	if (c->failures)
		journal_take_failures(c->journal, c->failures);
	publish_known(c, races->count, races->count);
	progress_doing("replaying the recorded execution");
	failure_list_find_constant(c, recorded);
	primaries_measure(c, recorded);
	try_recorded(c, races, all, &tried, recorded);
	choose_others(c, recorded, &others);
	for (size_t i = 0; i < others.count; i++)
		try_other_primary(c, races, all, &tried, others.list[i], "explored");
	free(others.list);
	free(others.orders);
	follow_predictions(c, recorded, races, all, &tried);
	follow_leads(c, races, all, &tried);
	for (size_t i = 0; i < tried.count && !classifier_out_of_time(c); i++)
		if (!tried.list[i].fails)
			try_rest(c, races, all, &tried.list[i]);
	for (size_t i = 0; i < tried.count && !classifier_out_of_time(c) && !c->interleavings.complete; i++)
		if (!tried.list[i].fails)
			sweep_primary(c, races, all, &tried.list[i]);
	progress_doing("asking what fails without a race");
	failure_list_find_raceless(c, recorded);
	for (size_t i = 0; i < tried.count; i++)
		if (tried.list[i].fails)
			blame_failing_primary(c, races, all, &tried.list[i]);
	tried_primaries_free(&tried);
}
