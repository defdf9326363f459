/*
 * The verdict of a race comes from executions that make its two accesses in the other order (docs/design.md,
 * "Classification"). What happens in one order only is caused by this race. What happens in both orders is blamed on
 * another race if the order of that race is sure to decide it; otherwise it counts for this one.
 */
#include "classify/classify.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "classify/difference.h"
#include "classify/interleaving_proof.h"
#include "classify/journal.h"
#include "classify/minimise.h"
#include "classify/order_effects.h"
#include "classify/race_failures.h"
#include "classify/try_primaries.h"
#include "run/progress.h"

#define HARD_LIMIT     1.5   /* budgets: the limit for everything, with the report */
#define REPORT_SECONDS 0.002 /* seconds to name one race and to write its evidence */

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

uint32_t classifier_check(const struct classifier *c) { return c->config->unchecked ? CHECK_OFF : CHECK_FOLLOW; }

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

/* Gives every race its verdict, from its tally and from what all interleavings prove. */
static void decide_verdicts(struct classifier *c, const struct races *races, struct race_tallies *all)
{
	for (size_t i = 0; i < races->count; i++)
		tally_of(all, races->list[i]);
	race_failures_take_uses(c, all);
	race_failures_withdraw(c, all);
	tallies_settle(all);
	for (size_t i = 0; i < all->count; i++) {
		struct race_tally *tally = &all->list[i];
		if (!c->input->log)
			snprintf(tally->why, sizeof tally->why, "there is no log of the execution");
		tally->blind = c->config->blind;
		proof_find(c, tally);
		if (tally->output.found && !tally->spec.found)
			difference_find(c, &tally->output);
		tally_decide_verdict(tally, c->config->method);
		if (tally->race->verdict->kind == VERDICT_HARMLESS && interleavings_agree(&c->interleavings))
			tally->race->verdict->interleavings = c->interleavings.count;
		proof_settle(c, tally);
	}
}

/* Reduces the evidence of several races at once, by as many threads as there are jobs: the pieces are independent. */
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

	if (c->input->log && !recorded->lost_entries)
		try_primaries(c, recorded, races, &all);
	decide_verdicts(c, races, &all);
	proof_check(c, &all);
	progress_doing("reducing evidence");
	reduce_all(c, &all);
	for (size_t i = 0; i < all.count; i++)
		tally_find_pattern(&all, &all.list[i]);
	race_failures_assign(c, &all);
	effects_free(c->interleavings.effects);
	c->interleavings.effects = NULL;
	tallies_free(&all);
	for (size_t i = 0; i < c->leads.count; i++)
		execution_free(c->leads.list[i]);
	if (!--recorded->races && recorded != &plain)
		execution_free(recorded);
	c->seconds = classifier_now() - c->start;
}
