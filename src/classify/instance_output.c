#include "classify/instance_output.h"

#include "classify/other_clocks.h"

#define SAMPLES         16 /* trials in the recorded order that show what depends on the schedule */
#define SAMPLES_MOST    64 /* more of them, if all contradict: a few may miss what is rare */
#define SAMPLES_OF_EACH 32 /* of each order, where the two are compared; as many again must confirm it */

static const struct feature no_feature = {.part = PARTS};

bool instance_output_is_known(const struct instance *x, const struct trial *t)
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

bool instance_output_same_but_line_order(const struct trial *p, const struct trial *t, const bool vary[PARTS])
{
	bool alike = trial_is_complete(p) && trial_same_end(p, t);

	for (enum part part = 0; part < PARTS && alike; part++)
		alike = trial_same_part(p, t, part, SAME_BYTES) ||
		        (vary[part] && trial_same_part(p, t, part, SAME_LINES));
	return alike;
}

bool instance_output_varies_so(const struct instance *x, const struct trial *t)
{
	bool vary[PARTS], alike = false;

	for (enum part part = 0; part < PARTS; part++)
		vary[part] = varies_in_recorded(x, part);
	for (size_t i = 0; i < x->recorded_trials.count && !alike; i++)
		alike = instance_output_same_but_line_order(&x->recorded_trials.list[i], t, vary);
	return alike || instance_output_same_but_line_order(&x->worker->recorded, t, vary);
}

bool instance_output_is_usable(const struct trial *t)
{
	return t->outcome == PLAN_DONE && trial_is_complete(t) && !t->early_reads &&
	       t->slept < INSTANCE_STANDSTILL_MOST;
}

static bool add_sample(struct instance *x, int which, struct board_plan p)
{
	struct trial t;

	p.compare = p.detect_after = false;
	p.keep_outputs = x->other_clocks != 0;
	if (!worker_try(x->worker, &p, &t))
		return false;
	bool ok = !instance_output_is_usable(&t) || clocks_hide(x, &p, &t);
	if (ok && instance_output_is_usable(&t))
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

	if (!which && !x->samples_taken[0] && x->recorded_trials.count &&
	    instance_output_is_usable(&x->recorded_trials.list[0]))
		samples_add(&x->samples[0], &x->recorded_trials.list[0]);
	while (ok && x->samples_taken[which] < wanted) {
		p.run_on = !x->samples_taken[which];
		p.seed = x->samples_taken[which]++;
		p.next_strategy = continuation_of(x, p.seed);
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

bool instance_output_find_feature(struct instance *x, const struct trial *t, struct feature *what, bool *ok)
{
	*what = no_feature;
	*ok = true;
	bool found = contradicts_recorded(x, t, what, ok) || do_orders_differ(x, what, ok);
	x->tally->varying_ignored |= *ok && !found;
	return found;
}

bool instance_output_shows(const struct instance *x, const struct trial *t, const struct feature *what)
{
	struct features here = features_of(t), there = features_of(&x->worker->recorded);
	bool shown = features_value(&here, what->key) != features_value(&there, what->key);

	features_free(&here);
	features_free(&there);
	return shown;
}

bool instance_output_is_new(const struct instance *x, const struct trial *t)
{
	struct samples all = {0};
	struct features features = features_of(t);
	struct feature what;

	for (size_t i = 0; i < x->recorded_trials.count; i++)
		if (instance_output_is_usable(&x->recorded_trials.list[i]))
			samples_add(&all, &x->recorded_trials.list[i]);
	bool found = all.count < SAMPLES / 2 || samples_contradict(&all, &features, &what);
	features_free(&features);
	samples_free(&all);
	return found;
}
