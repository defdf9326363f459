/*
 * Tries one instance of a race. From a snapshot before its first access it makes trials: in the recorded order for
 * comparison, and in the other order, first with as little change as possible, then with different schedules.
 */
#include "classify/instance.h"

#include <stdio.h>
#include <stdlib.h>

#include "classify/blame.h"
#include "classify/instance_output.h"
#include "classify/other_clocks.h"
#include "classify/racing_pair.h"

#define FIRST_REST       1000000 /* first seed of the remaining trials */
#define FIRST_CONTROL    2000000 /* first seed of controls */
#define RETRIES          3       /* trials of an instance whose other order seems impossible */
#define SCHEDULES_NEEDED 2       /* schedules that must show a difference that the order alone does not show */
#define CONTROLS         10      /* trials in the recorded order that must not show what is blamed on the other order */

static const struct feature no_feature = {.part = PARTS};

struct board_plan instance_plan(const struct instance *x, uint32_t order, uint64_t seed)
{
	struct board_plan p = x->plan;

	p.order = order;
	p.seed = seed;
	p.next_strategy.id = !seed ? STRATEGY_FAIR : seed % 2 ? STRATEGY_RACY : STRATEGY_RANDOM;
	p.compare = !seed;
	p.detect_after = order == PLAN_SECOND && !seed;
	return p;
}

/* Makes a trial with the recorded order; `run_on`: the second thread then runs far ahead. */
static bool try_recorded_order(struct instance *x, uint64_t seed, bool run_on)
{
	struct board_plan p = instance_plan(x, PLAN_FIRST, seed);
	struct trial t;

	p.run_on = run_on;
	p.keep_outputs = x->other_clocks != 0;
	if (!worker_try(x->worker, &p, &t))
		return false;
	bool ok = clocks_hide(x, &p, &t);
	x->tally->recorded_made += t.outcome == PLAN_DONE;
	x->recorded_trials.list = must_resize(x->recorded_trials.list, (x->recorded_trials.count + 1) * sizeof t);
	x->recorded_trials.list[x->recorded_trials.count++] = t;
	return ok;
}

/* There is a finding, and this instance could show no better one: an order that a lock would allow convinces less. */
static bool has_enough(const struct instance *x, const struct finding *f) { return f->sure && (f->cuts || !x->cuts); }

static void keep_finding(struct finding *f, struct trial *t, const struct instance *x, bool sure,
                         struct feature feature)
{
	if (f->found && (has_enough(x, f) || !sure))
		return;
	const struct trial *primary = &x->worker->recorded;
	trial_free(&f->trial);
	trial_free(&f->primary);
	*f = (struct finding){.found = true,
	                      .sure = sure,
	                      .before = t->outcome == PLAN_NONE,
	                      .trial = *t,
	                      .watch = x->watch,
	                      .touch = x->at->touch[0],
	                      .plan = x->plan,
	                      .feature = feature,
	                      .site = x->tally->seen->access[x->at->swapped ? 1 : 0].site,
	                      .cuts = x->cuts && t->order == PLAN_SECOND};
	f->plan.order = t->order;
	trial_free_plain(&f->trial); /* from now on it is compared byte for byte */
	*t = (struct trial){0};
	trial_copy_output(&f->primary, primary);
	f->primary.execution = execution_copy(x->worker->primary->execution);
}

static bool is_impossible(const struct trial *t)
{
	return t->outcome == PLAN_BLOCKED || t->outcome == PLAN_SPINS || t->outcome == PLAN_ENDED;
}

static void count_outcome(const struct instance *x, const struct trial *t)
{
	struct race_tally *tally = x->tally;
	bool done = t->outcome == PLAN_DONE;
	bool ended = trial_is_complete(t) || (t->ending == ENDING_ENDED && trial_agrees(t, &x->worker->recorded));

	tally->k++;
	tally->invented += t->invented != 0;
	tally->enforced += done;
	tally->completed += done && ended;
	tally->impossible += is_impossible(t);
	tally->spins += t->outcome == PLAN_SPINS;
	tally->took_other_way += t->outcome == PLAN_ENDED;
	for (size_t i = 0; i < WORDS_READ / 64 && (t->outcome == PLAN_ENDED || t->outcome == PLAN_SPINS); i++)
		tally->words_read[i] |= t->words_read[i];
	tally->out_of_budget |= t->outcome == PLAN_BUDGET;
	tally->inconclusive += !trial_is_violation(t) && !ended;
}

/* A violation that the primary does not have. False: the process is lost. */
static bool take_violation(struct instance *x, struct trial *t, const struct trial_origin *origin)
{
	enum blame answer;

	if (!blame_examine(x, t, origin, &answer))
		return false;
	if (answer != BLAME_NO_RACE)
		keep_finding(&x->tally->spec, t, x, answer == BLAME_RACE && t->outcome == PLAN_DONE, no_feature);
	return true;
}

static bool is_new_violation(const struct instance *x, const struct trial *t)
{
	return trial_is_violation(t) && !trial_same_violation(&x->worker->recorded, t);
}

/* Judges a trial with the other order, which was made with this seed. False: the process is lost. */
static bool judge_other_order(struct instance *x, struct trial *t, uint64_t seed, bool run_on)
{
	struct race_tally *tally = x->tally;

	count_outcome(x, t);
	x->made++;
	if (is_new_violation(x, t))
		return take_violation(
		        x, t,
		        &(struct trial_origin){.order = PLAN_SECOND, .seed = seed, .made = x->made, .run_on = run_on});
	/* if the plan was not done, the trial shows what holding a thread does, not what the order does */
	bool done = t->outcome == PLAN_DONE;
	if (!done || !trial_is_complete(t) || has_enough(x, &tally->output) || tally->spec.sure ||
	    instance_output_is_known(x, t))
		return true;
	if (t->slept >= INSTANCE_STANDSTILL_MOST) {
		tally->k--;
		snprintf(tally->why, sizeof tally->why,
		         "a thread would have to stand still for %lu seconds while all others only wait",
		         t->slept / 1000000000);
		return true;
	}
	if (t->early_reads) { /* perhaps the peer would not have sent that yet: the trial proves nothing */
		tally->k--;
		snprintf(tally->why, sizeof tally->why,
		         "what came from outside may depend on what had been sent before, which the other order sends "
		         "later");
		return true;
	}
	struct feature what;
	bool ok = clocks_ask(x, &x->last_plan, t);
	tally->clocks_ignored |= x->other_clocks != 0;
	if (!ok || instance_output_is_known(x, t) || !instance_output_find_feature(x, t, &what, &ok) || !ok)
		return ok;
	for (uint64_t i = 0; i < CONTROLS && !instance_output_is_known(x, t) && !instance_output_varies_so(x, t); i++)
		if (!try_recorded_order(x, i ? x->next_seed++ : seed, !i && run_on))
			return false;
	if (instance_output_is_known(x, t) || instance_output_varies_so(x, t) ||
	    (seed && !instance_output_is_new(x, t)))
		return true;
	/* what one schedule of many shows may be rare in the recorded order too */
	if (!seed || ++tally->schedule_hits >= SCHEDULES_NEEDED)
		keep_finding(&tally->output, t, x, !seed && instance_output_shows(x, t, &what), what);
	return true;
}

static bool try_plan(struct instance *x, struct board_plan p, struct trial *t)
{
	p.keep_outputs = x->other_clocks != 0;
	x->last_plan = p;
	return worker_try(x->worker, &p, t);
}

static bool try_other_order(struct instance *x, uint64_t seed, struct trial *t)
{
	return try_plan(x, instance_plan(x, PLAN_SECOND, seed), t);
}

/* For the comparison of states nobody looks for races: the detector would leave traces in registers. */
static bool try_other_order_undetected(struct instance *x, struct trial *t)
{
	struct board_plan p = instance_plan(x, PLAN_SECOND, 0);

	p.detect_after = false;
	return try_plan(x, p, t);
}

/* Makes the same trial once more, to find the races after the two accesses. */
static bool find_races_after(struct instance *x)
{
	struct trial t;
	bool ok = try_other_order(x, 0, &t);

	trial_free(&t);
	return ok;
}

/* The other order, with the other thread far ahead when the held one follows. */
static bool try_other_order_lingering(struct instance *x, struct trial *t)
{
	struct board_plan p = instance_plan(x, PLAN_SECOND, 0);

	p.run_on = true;
	return try_plan(x, p, t);
}

/* The other order, after all other threads have done all they can. */
static bool try_other_order_prepared(struct instance *x, struct trial *t)
{
	struct board_plan p = instance_plan(x, PLAN_SECOND, 0);

	p.others_first = true;
	return try_plan(x, p, t);
}

static void note_states(struct race_tally *tally, const struct trial *first, const struct trial *other)
{
	if (first->outcome != PLAN_DONE || other->outcome != PLAN_DONE)
		tally->states_uncompared++;
	else if (!first->state || !other->state || (first->state == other->state && first->world != other->world))
		tally->states_unclear++;
	else if (first->state == other->state)
		tally->states_equal++;
	else
		tally->states_differ++;
}

/*
 * The two orders, with nothing else changed, print different output. This also counts if one of them prints what was
 * recorded.
 */
static bool compare_outputs(struct instance *x, struct trial *first, struct trial *other)
{
	struct race_tally *tally = x->tally;
	bool both = instance_output_is_usable(first) && instance_output_is_usable(other);
	struct feature what;
	bool ok = true;

	if (!both || tally->spec.sure || has_enough(x, &tally->output) || trial_same_lines(first, other))
		return true;
	ok = clocks_ask(x, &x->last_plan, other);
	tally->clocks_ignored |= x->other_clocks != 0;
	if (ok && !instance_output_same_but_line_order(first, other, (const bool[PARTS]){true, true, true}) &&
	    instance_output_find_feature(x, other, &what, &ok))
		keep_finding(&tally->output, trial_same_lines(other, &x->worker->recorded) ? first : other, x, true,
		             what);
	return ok;
}

/*
 * The other thread did not reach its access, perhaps because of what other threads did or did not do. Tries again after
 * all others have done all they can, and with different schedules.
 */
static bool try_other_order_again(struct instance *x)
{
	struct race_tally *tally = x->tally;
	uint64_t enforced = tally->enforced;
	struct trial t;
	bool ok = true;

	for (uint64_t seed = 0; ok && seed < RETRIES && tally->enforced == enforced; seed++) {
		ok = (seed ? try_other_order(x, seed, &t) : try_other_order_prepared(x, &t)) &&
		     judge_other_order(x, &t, seed, false);
		trial_free(&t);
	}
	return ok;
}

/* The share of one instance in one primary of the executions that were asked for. */
static uint64_t trials_of_instance(const struct classify_config *o)
{
	uint64_t n = o->k / (o->instances * (o->primaries + 1));

	return n > 2 ? n : 2;
}

/*
 * Judges the trial with the recorded order and nothing between the accesses, which may fail before it makes that order.
 * If the recorded execution has this violation, the race causes it if the other order makes it go away. False: the
 * process is lost.
 */
static bool judge_recorded(struct instance *x, const struct trial *other)
{
	struct trial *first = &x->recorded_trials.list[0];
	bool made = first->outcome == PLAN_DONE, gone = other->outcome == PLAN_DONE && trial_is_complete(other);
	const struct trial_origin q = {.order = gone ? PLAN_FIRST : PLAN_SECOND, .made = 1};

	if (!made && trial_is_violation(first)) /* counts only if that is always so */
		keep_finding(&x->tally->spec, first, x, false, no_feature);
	else if (is_new_violation(x, first) || (gone && trial_same_violation(&x->worker->recorded, first)))
		return take_violation(x, first, &q);
	return true;
}

/*
 * Judges violations that executions continue past, if one order has one and the other does not. False: the process is
 * lost.
 */
static bool judge_passed(struct instance *x, const struct trial *other)
{
	struct trial shown = {0};
	bool ok = blame_passed(x, &x->recorded_trials.list[0], other, &shown);

	if (ok && trial_is_violation(&shown))
		keep_finding(&x->tally->spec, &shown, x, true, no_feature);
	trial_free(&shown);
	return ok;
}

/* Each instance gets its own seeds: the same schedules again would show little that is new. */
static uint64_t first_seed(const struct instance *x)
{
	uint64_t h = x->worker->primary->key ^ x->at->touch[0] << 32 ^ x->at->touch[1];

	return 1 + (h * 0x9e3779b97f4a7c15u >> 32) % (FIRST_REST / 2);
}

/* All trials of one instance. After two equal states nothing more is tried: what follows is the same. */
static bool try_all(struct instance *x)
{
	struct race_tally *tally = x->tally;
	uint64_t k = trials_of_instance(x->worker->classifier->config);
	struct trial t;

	if (!try_other_order_undetected(x, &t))
		return false;
	if (is_impossible(&t)) {
		tally->states_uncompared++;
		bool ok = judge_other_order(x, &t, 0, false);
		trial_free(&t);
		return ok && try_other_order_again(x);
	}
	if (!try_recorded_order(x, 0, false))
		return false;
	uint32_t equal = tally->states_equal;
	note_states(tally, &x->recorded_trials.list[0], &t);
	x->states_equal = tally->states_equal != equal;
	bool ok = judge_recorded(x, &t) && judge_passed(x, &t) && judge_other_order(x, &t, 0, false) &&
	          compare_outputs(x, &x->recorded_trials.list[0], &t);
	trial_free(&t);
	if (x->states_equal)
		return ok;
	ok = ok && find_races_after(x) && try_other_order_lingering(x, &t) && judge_other_order(x, &t, 0, true);
	trial_free(&t);
	for (uint64_t i = 1; ok && i < k && !tally->spec.sure && !*x->worker->classifier->stop; i++) {
		uint64_t seed = first_seed(x) + i;
		ok = try_other_order(x, seed, &t) && judge_other_order(x, &t, seed, false);
		trial_free(&t);
	}
	return ok;
}

/* More trials of the other order, with different schedules. The number is fixed, whether they count or not. */
static bool try_rest(struct instance *x)
{
	const struct classifier *c = x->worker->classifier;
	struct race_tally *tally = x->tally;
	uint64_t k = c->config->k, n = worker_count_instances(x->worker, tally);
	uint64_t begin = FIRST_REST + first_seed(x), end = begin + (tally->k < k ? (k - tally->k + n - 1) / n : 0);
	struct trial t;
	bool ok = try_recorded_order(x, 0, false);

	for (uint64_t seed = begin; ok && seed < end && !tally->spec.sure && !tally->output.found; seed++) {
		if (classifier_out_of_time(c))
			break;
		ok = try_other_order(x, seed, &t) && judge_other_order(x, &t, seed, false);
		trial_free(&t);
	}
	return ok;
}

/* Makes each order once, with nothing else changed: a failure may come in one round of many. */
static bool try_once(struct instance *x)
{
	struct trial t;

	if (!try_other_order(x, 0, &t))
		return false;
	if (t.outcome != PLAN_DONE) { /* not possible here: the two accesses need not race in this place */
		trial_free(&t);
		return true;
	}
	bool ok = try_recorded_order(x, 0, false);
	if (ok && is_new_violation(x, &t))
		ok = judge_other_order(x, &t, 0, false);
	if (ok)
		ok = judge_recorded(x, &t);
	trial_free(&t);
	return ok;
}

/* The primary fails: does its order of the race decide that? */
static bool examine_failure(struct instance *x)
{
	struct board_plan p = instance_plan(x, PLAN_FIRST, 0);
	enum blame answer = BLAME_UNKNOWN;
	struct trial t;

	p.compare = false;
	bool ok = worker_try(x->worker, &p, &t);
	if (ok && trial_same_violation(&x->worker->recorded, &t))
		ok = blame_examine(x, &t, &(struct trial_origin){.order = PLAN_FIRST, .made = 1}, &answer);
	if (ok && answer == BLAME_RACE)
		keep_finding(&x->tally->spec, &t, x, true, no_feature);
	trial_free(&t);
	return ok;
}

static const struct board_access *other_access(const struct board_race *r, const struct board_instance *i)
{
	return &r->access[i->swapped ? 0 : 1];
}

bool instance_try(struct worker *w, struct race_tally *tally, const struct board_instance *at)
{
	const struct board_access *other = other_access(tally->seen, at);
	struct instance x = {.worker = w,
	                     .tally = tally,
	                     .at = at,
	                     .next_seed = FIRST_CONTROL,
	                     .plan = {.site = other->site,
	                              .flags = other->flags,
	                              .fiber = at->fiber[1],
	                              .budget = BUDGET_FACTOR * w->classifier->points + LEAST_POINTS,
	                              .turns = BUDGET_FACTOR * w->classifier->turns + LEAST_TURNS_HELD}};

	tally->tried |= w->work != WORK_BLAME;
	x.watch = w->watch;
	x.cuts = racing_pair_cuts_region(w->primary->execution, at);
	bool ok = w->work == WORK_BLAME   ? examine_failure(&x)
	          : w->work == WORK_SWEEP ? try_once(&x)
	          : w->work == WORK_REST  ? try_rest(&x)
	                                  : try_all(&x);
	trials_free(&x.recorded_trials);
	for (int i = 0; i < 2; i++)
		samples_free(&x.samples[i]);
	return ok;
}
