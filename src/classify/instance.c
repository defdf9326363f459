/*
 * Tries one instance of a race. From a snapshot before its first access it makes trials: in the recorded order for
 * comparison, and in the other order, first with as little change as possible, then with different schedules.
 */
#include "classify/instance.h"

#include <stdio.h>
#include <stdlib.h>

#include "classify/other_clocks.h"
#include "classify/racing_pair.h"

#define FIRST_REST       1000000 /* first seed of the remaining trials */
#define FIRST_CONTROL    2000000 /* first seed of controls */
#define RETRIES          3       /* trials of an instance whose other order seems impossible */
#define SCHEDULES_NEEDED 2       /* schedules that must show a difference that the order alone does not show */
#define CONTROLS         10      /* trials in the recorded order that must not show what is blamed on the other order */
/*
 * Nanoseconds that a thread can be held while all other threads only sleep. A program that waits with a limit would
 * show what happens on a machine that stops a thread for that long.
 */
#define STANDSTILL_MOST 5000000000u
#define SAMPLES         16 /* trials in the recorded order that show what depends on the schedule */
#define SAMPLES_MOST    64 /* more of them, if all contradict: a few may miss what is rare */
#define SAMPLES_OF_EACH 32 /* of each order, where the two are compared; as many again must confirm it */

static const struct feature no_feature = {.part = PARTS};

struct board_plan instance_plan(const struct instance *x, uint32_t order, uint64_t seed)
{
	struct board_plan p = x->plan;

	p.order = order;
	p.seed = seed;
	p.onward.id = !seed ? STRATEGY_FAIR : seed % 2 ? STRATEGY_RACY : STRATEGY_RANDOM;
	p.compare = !seed;
	p.looks = order == PLAN_SECOND && !seed;
	return p;
}

/* Makes a trial with the recorded order; `lingers`: the second thread then runs far ahead. */
static bool try_recorded_order(struct instance *x, uint64_t seed, bool lingers)
{
	struct board_plan p = instance_plan(x, PLAN_FIRST, seed);
	struct trial t;

	p.lingers = lingers;
	p.gives = x->other_clocks != 0;
	if (!worker_try(x->worker, &p, &t))
		return false;
	bool ok = clocks_hide(x, &p, &t);
	x->tally->recorded_made += t.outcome == PLAN_DONE;
	x->recorded_trials.list = must_resize(x->recorded_trials.list, (x->recorded_trials.count + 1) * sizeof t);
	x->recorded_trials.list[x->recorded_trials.count++] = t;
	return ok;
}

/* A trial with the recorded order prints the same. */
static bool is_printed_by_recorded(const struct instance *x, const struct trial *t)
{
	for (size_t i = 0; i < x->recorded_trials.count; i++)
		if (trial_same_output(&x->recorded_trials.list[i], t))
			return true;
	return trial_same_output(&x->worker->recorded, t);
}

/* This part of the output is not always the same, even with the recorded order. */
static bool varies_in_recorded(const struct instance *x, enum part part)
{
	const struct trial *one = x->other_clocks ? &x->recorded_trials.list[0] : &x->worker->recorded;

	for (size_t i = 0; i < x->recorded_trials.count; i++)
		if (trial_is_complete(&x->recorded_trials.list[i]) &&
		    !trial_same_part(&x->recorded_trials.list[i], one, part, SAME_BYTES))
			return true;
	return false;
}

/* The same output, except for the order of lines where that order varies anyway. */
static bool is_same_but_line_order(const struct trial *p, const struct trial *t, const bool vary[PARTS])
{
	bool alike = trial_is_complete(p) && trial_same_end(p, t);

	for (enum part part = 0; part < PARTS && alike; part++)
		alike = trial_same_part(p, t, part, SAME_BYTES) ||
		        (vary[part] && trial_same_part(p, t, part, SAME_LINES));
	return alike;
}

/* A trial with the recorded order prints the same, except for what varies there anyway. */
static bool is_recorded_variation(const struct instance *x, const struct trial *t)
{
	bool vary[PARTS], alike = false;

	for (enum part part = 0; part < PARTS; part++)
		vary[part] = varies_in_recorded(x, part);
	for (size_t i = 0; i < x->recorded_trials.count && !alike; i++)
		alike = is_same_but_line_order(&x->recorded_trials.list[i], t, vary);
	return alike || is_same_but_line_order(&x->worker->recorded, t, vary);
}

static bool is_usable_sample(const struct trial *t)
{
	return t->outcome == PLAN_DONE && trial_is_complete(t) && !t->early && t->slept < STANDSTILL_MOST;
}

static bool add_sample(struct instance *x, int which, struct board_plan p)
{
	struct trial t;

	p.compare = p.looks = false;
	p.gives = x->other_clocks != 0;
	if (!worker_try(x->worker, &p, &t))
		return false;
	bool ok = !is_usable_sample(&t) || clocks_hide(x, &p, &t);
	if (ok && is_usable_sample(&t))
		samples_add(&x->samples[which], &t);
	trial_free(&t);
	return ok;
}

/* One of the two threads runs far ahead of all others, then the other one, then chance decides; and so on. */
static struct strategy_config continuation_of(const struct instance *x, uint64_t number)
{
	struct strategy_config s = {.id = number ? STRATEGY_COARSE : STRATEGY_FAIR, .length = number / 4};

	if (number % 4 == 1 || number % 4 == 2)
		s.depth = x->at->fiber[number % 4 - 1] + 1;
	return s;
}

/*
 * Takes samples of what an order prints when chance decides everything that follows. Schedules that switch between two
 * accesses would show what other instances of this race, and other races, do. These schedules show only what depends on
 * the speed of threads.
 */
static bool take_samples(struct instance *x, int which, uint64_t wanted)
{
	struct board_plan p = instance_plan(x, which ? PLAN_SECOND : PLAN_FIRST, 0);
	bool ok = true;

	if (!which && !x->samples_taken[0] && x->recorded_trials.count && is_usable_sample(&x->recorded_trials.list[0]))
		samples_add(&x->samples[0], &x->recorded_trials.list[0]);
	while (ok && x->samples_taken[which] < wanted) {
		p.lingers = !x->samples_taken[which];
		p.seed = x->samples_taken[which]++;
		p.onward = continuation_of(x, p.seed);
		ok = add_sample(x, which, p);
	}
	return ok;
}

/*
 * All trials with the recorded order agree on some feature, and this trial has it differently. A few trials are often
 * enough to see that they do not agree.
 */
static bool contradicts_recorded(struct instance *x, const struct trial *t, struct feature *what, bool *ok)
{
	struct features features = features_of(t);
	bool found = true;

	for (uint64_t n = SAMPLES / 4; n <= SAMPLES_MOST && found && *ok; n *= 2) {
		*ok = take_samples(x, 0, n);
		found = x->samples[0].count < n / 2 || samples_contradict(&x->samples[0], &features, what);
	}
	features_free(&features);
	return found;
}

/*
 * Much was compared, in many instances, before this difference was found, so chance alone shows one now and then. More
 * trials must show the same difference.
 */
static bool is_difference_confirmed(struct instance *x, const struct feature *what, bool *ok)
{
	struct samples more[2];

	for (int i = 0; i < 2 && *ok; i++) {
		size_t before = x->samples[i].count;
		*ok = take_samples(x, i, x->samples_taken[i] + SAMPLES_OF_EACH);
		more[i] = (struct samples){.list = x->samples[i].list + before, .count = x->samples[i].count - before};
	}
	return *ok && more[0].count && more[1].count && samples_differ_in(&more[0], &more[1], what);
}

/* As far as trials of both orders show, some value is possible in one order only. */
static bool do_orders_differ(struct instance *x, struct feature *what, bool *ok)
{
	bool found = true;

	for (uint64_t n = SAMPLES_OF_EACH / 4; n <= SAMPLES_OF_EACH && found && *ok; n *= 2) {
		for (int i = 0; i < 2 && *ok; i++)
			*ok = take_samples(x, i, n);
		found = x->samples[0].count >= n / 2 && x->samples[1].count >= n / 2 &&
		        samples_differ(&x->samples[0], &x->samples[1], n < SAMPLES_OF_EACH, what);
	}
	return found && *ok && is_difference_confirmed(x, what, ok);
}

/* The output of a trial with the other order has a feature that does not depend on the schedule. */
static bool has_decided_feature(struct instance *x, const struct trial *t, struct feature *what, bool *ok)
{
	*what = no_feature;
	*ok = true;
	bool found = contradicts_recorded(x, t, what, ok) || do_orders_differ(x, what, ok);
	x->tally->varying_ignored |= *ok && !found;
	return found;
}

/* The recorded execution has another value of this feature, so it and the trial show the difference. */
static bool shows_feature(const struct instance *x, const struct trial *t, const struct feature *what)
{
	struct features here = features_of(t), there = features_of(&x->worker->recorded);
	bool shown = features_value(&here, what->key) != features_value(&there, what->key);

	features_free(&here);
	features_free(&there);
	return shown;
}

/* The difference is also new compared with schedules that switch anywhere. */
static bool is_new_in_any_schedule(const struct instance *x, const struct trial *t)
{
	struct samples all = {0};
	struct features features = features_of(t);
	struct feature what;

	for (size_t i = 0; i < x->recorded_trials.count; i++)
		if (is_usable_sample(&x->recorded_trials.list[i]))
			samples_add(&all, &x->recorded_trials.list[i]);
	bool found = all.count < SAMPLES / 2 || samples_contradict(&all, &features, &what);
	features_free(&features);
	samples_free(&all);
	return found;
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
	for (size_t i = 0; i < WENT_BY / 64 && (t->outcome == PLAN_ENDED || t->outcome == PLAN_SPINS); i++)
		tally->went_by[i] |= t->went_by[i];
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
static bool judge_other_order(struct instance *x, struct trial *t, uint64_t seed, bool lingers)
{
	struct race_tally *tally = x->tally;

	count_outcome(x, t);
	x->made++;
	if (is_new_violation(x, t))
		return take_violation(x, t,
		                      &(struct trial_origin){
		                              .order = PLAN_SECOND, .seed = seed, .made = x->made, .lingers = lingers});
	/* if the plan was not done, the trial shows what holding a thread does, not what the order does */
	bool done = t->outcome == PLAN_DONE;
	if (!done || !trial_is_complete(t) || has_enough(x, &tally->output) || tally->spec.sure ||
	    is_printed_by_recorded(x, t))
		return true;
	if (t->slept >= STANDSTILL_MOST) {
		tally->k--;
		snprintf(tally->why, sizeof tally->why,
		         "a thread would have to stand still for %lu seconds while all others only wait",
		         t->slept / 1000000000);
		return true;
	}
	if (t->early) { /* perhaps the peer would not have sent that yet: the trial proves nothing */
		tally->k--;
		snprintf(tally->why, sizeof tally->why,
		         "what came from outside may depend on what had been sent before, which the other order sends "
		         "later");
		return true;
	}
	struct feature what;
	bool ok = clocks_ask(x, &x->last_plan, t);
	tally->clocks_ignored |= x->other_clocks != 0;
	if (!ok || is_printed_by_recorded(x, t) || !has_decided_feature(x, t, &what, &ok) || !ok)
		return ok;
	for (uint64_t i = 0; i < CONTROLS && !is_printed_by_recorded(x, t) && !is_recorded_variation(x, t); i++)
		if (!try_recorded_order(x, i ? x->next_seed++ : seed, !i && lingers))
			return false;
	if (is_printed_by_recorded(x, t) || is_recorded_variation(x, t) || (seed && !is_new_in_any_schedule(x, t)))
		return true;
	/* what one schedule of many shows may be rare in the recorded order too */
	if (!seed || ++tally->schedule_hits >= SCHEDULES_NEEDED)
		keep_finding(&tally->output, t, x, !seed && shows_feature(x, t, &what), what);
	return true;
}

static bool try_plan(struct instance *x, struct board_plan p, struct trial *t)
{
	p.gives = x->other_clocks != 0;
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

	p.looks = false;
	return try_plan(x, p, t);
}

/* Makes the same trial once more, to find the races behind the two accesses. */
static bool find_races_behind(struct instance *x)
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

	p.lingers = true;
	return try_plan(x, p, t);
}

/* The other order, after all other threads have done all they can. */
static bool try_other_order_prepared(struct instance *x, struct trial *t)
{
	struct board_plan p = instance_plan(x, PLAN_SECOND, 0);

	p.prepares = true;
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
	bool both = is_usable_sample(first) && is_usable_sample(other);
	struct feature what;
	bool ok = true;

	if (!both || tally->spec.sure || has_enough(x, &tally->output) || trial_same_lines(first, other))
		return true;
	ok = clocks_ask(x, &x->last_plan, other);
	tally->clocks_ignored |= x->other_clocks != 0;
	if (ok && !is_same_but_line_order(first, other, (const bool[PARTS]){true, true, true}) &&
	    has_decided_feature(x, other, &what, &ok))
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
	ok = ok && find_races_behind(x) && try_other_order_lingering(x, &t) && judge_other_order(x, &t, 0, true);
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

int instance_writer(const struct board_race *r, const struct board_instance *i)
{
	bool write[2];

	for (int k = 0; k < 2; k++)
		write[k] = r->access[i->swapped ? 1 - k : k].flags & ACCESS_WRITE;
	return write[0] == write[1] ? -1 : write[0] ? 0 : 1;
}

bool instance_probe(struct worker *w, struct race_tally *tally, const struct board_instance *at)
{
	int writer = instance_writer(tally->seen, at);
	const struct board_access *reader = &tally->seen->access[(writer == 0) != (at->swapped != 0) ? 1 : 0];
	struct board_plan p = {.order = PLAN_PROBE,
	                       .site = reader->site,
	                       .flags = reader->flags,
	                       .fiber = at->fiber[1 - writer],
	                       .budget = BUDGET_FACTOR * w->classifier->points + LEAST_POINTS,
	                       .turns = BUDGET_FACTOR * w->classifier->turns + LEAST_TURNS_HELD,
	                       .onward = {.id = STRATEGY_FAIR}};
	struct trial t;

	tally->probes++;
	if (!worker_try(w, &p, &t))
		return false;
	bool waits = t.outcome == PLAN_SPINS && t.touched && access_history_read_follows(tally->accesses);
	trial_free(&t);
	if (!waits)
		return true;
	p.order = PLAN_PASSED; /* a read whose loop goes on in spite of the write waits for something else */
	if (!worker_try(w, &p, &t))
		return false;
	tally->read_only_waits |= t.outcome != PLAN_SPINS;
	trial_free(&t);
	return true;
}
