/*
 * Where a program has few interleavings, all of them are executed (docs/design.md, "All interleavings"): dpor.c chooses
 * the next one, the runtime executes it and notes its steps.
 */
#include "classify/all_interleavings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "classify/dpor.h"
#include "classify/failure_list.h"
#include "classify/access_orders.h"
#include "run/execute.h"
#include "format/enum_names.h"

#define NONE                SIZE_MAX
#define PRIMARIES_IF_AGREED 8
#define POINTS_MOST         20000 /* of the recorded execution */
#define BUDGET              200000
#define ESTIMATE_AFTER      100 /* executions after which their total number can be estimated */
#define HOPELESS            4   /* give up if the estimate is this many times too high */
#define SHOWN               100 /* pairs of places of which the effect of their order is shown */
#define BUDGET_PART         4   /* this step gets one part in so many of the budget */

/* The choices of an execution: with them it can be made again. */
struct choices_made {
	uint32_t *choice;
	uint32_t count;
};

struct enumeration {
	struct classifier *c;
	struct replayer replayer;
	struct dpor *dpor;
	struct encounters *encounters;
	struct chosen_primaries *chosen;
	struct trials ends;                /* one trial of each outcome */
	size_t outcome;                    /* of the last execution; NONE: it was stopped because it had been seen */
	struct choices_made *choices_made; /* all executions, by number */
	size_t nmade;
	struct chosen_primaries others; /* executions that may become primaries if there are not enough */
	uint64_t most, seen;            /* primaries wanted; executions that could be one */
	double start;
};

/* The program shares this part of the board's file, but the tool does not map it: it reads the file. */
static struct step_note *take_log(const struct enumeration *x, uint64_t *count)
{
	const struct process *p = &x->replayer.process;

	*count = p->board->nnotes < STEPS_MOST ? p->board->nnotes : STEPS_MOST;
	struct step_note *log = must_alloc((*count + 1) * sizeof *log);
	size_t size = *count * sizeof *log, got = 0;
	ssize_t n;
	while (got < size && (n = pread(p->board_fd, (char *)log + got, size - got, (off_t)(BOARD_EVENTS + got))) > 0)
		got += (size_t)n;
	if (got < size)
		*count = 0;
	return log;
}

static bool fails_alike(const struct trial *a, const struct trial *b)
{
	return a->tolerated == b->tolerated && trial_is_violation(a) == trial_is_violation(b) &&
	       (!trial_is_violation(a) || trial_same_violation(a, b));
}

/* What was printed before an execution fails counts too. */
static bool is_same_outcome(const struct trial *a, const struct trial *b)
{
	return fails_alike(a, b) && trial_same_output(a, b);
}
static bool is_same_but_line_order(const struct trial *a, const struct trial *b)
{
	return fails_alike(a, b) && trial_same_lines(a, b);
}

/* Counts the trial with those that end and print the same. True: it is the first of them. Takes the trial over. */
static bool add_outcome(struct enumeration *x, struct trial *t)
{
	struct interleavings *all = &x->c->interleavings;
	size_t i = 0;

	all->count++;
	while (i < x->ends.count && !is_same_outcome(&x->ends.list[i], t))
		i++;
	x->outcome = i;
	if (i < x->ends.count) {
		all->outcomes[i].count++;
		trial_free(t);
		return false;
	}
	size_t like = 0;
	while (like < x->ends.count && !is_same_but_line_order(&x->ends.list[like], t))
		like++;
	x->ends.list = must_resize(x->ends.list, (i + 1) * sizeof *t);
	x->ends.list[x->ends.count++] = *t;
	all->outcomes = must_resize(all->outcomes, (i + 1) * sizeof *all->outcomes);
	struct outcome *o = &all->outcomes[all->noutcomes++];
	*o = (struct outcome){.ending = t->ending,
	                      .status = t->status,
	                      .count = 1,
	                      .tolerated = t->tolerated,
	                      .signature = t->signature,
	                      .like = like};
	for (int k = 0; k < 2; k++)
		bytes_add(&o->output[k], t->printed[k].data, t->printed[k].size);
	return true;
}

/* Why nothing can be said about all interleavings after this execution; NULL: there is no reason. */
static const char *obstacle_of(const struct board *b)
{
	if (b->unclear[0])
		return b->unclear;
	if (b->invented)
		return "the recording does not tell what the world would answer";
	switch (b->result.ending) {
	case ENDING_BUDGET:
	case ENDING_TIMEOUT:
	case ENDING_ENDED:
		return "an execution does not end";
	case ENDING_DIVERGED:
	case ENDING_OMEN:
	case ENDING_UNKNOWN:
	case ENDING_NONE:
		return "an execution cannot be made";
	default:
		return b->schedule_full ? "a schedule is too long" : NULL;
	}
}

/*
 * Every execution with a new race is a primary, or the race would be lost. So are executions that show something else
 * that is new. Of the many others a sample from all over is kept.
 */
static void consider_primary(struct enumeration *x, const struct board *b, bool is_new)
{
	bool other = primaries_want(x->chosen, b);

	if (is_new || b->new_races) {
		if (b->nwatched && (b->new_races || x->chosen->count < x->most))
			primaries_add(x->chosen, primary_take(b));
	} else if (other && x->others.count < x->most) {
		primaries_add(&x->others, primary_take(b));
	} else if (other) {
		size_t at = (size_t)(++x->seen * 2654435761u % (x->seen + x->most));
		if (at >= x->most)
			return;
		execution_free(x->others.list[at]);
		x->others.list[at] = primary_take(b);
	}
}

/* Takes one execution. False: because of it nothing can be said about all interleavings. */
static bool take_execution(struct enumeration *x)
{
	const struct board *b = x->replayer.process.board;
	struct interleavings *all = &x->c->interleavings;
	const char *obstacle = obstacle_of(b);
	struct trial t = {0};

	const struct departure d = departure_at(x->c, b, 1);
	x->outcome = NONE;
	classifier_count_execution(x->c);
	failure_list_note(x->c, b, &d);
	if (obstacle) {
		snprintf(all->why, sizeof all->why, "%s", obstacle);
		return false;
	}
	if (b->result.ending == ENDING_STOPPED)
		return true; /* it was seen before */
	replayer_take(&x->replayer, &t);
	bool is_new = add_outcome(x, &t);
	consider_primary(x, b, is_new && x->ends.count > 1);
	return true;
}

/* Estimates whether this will take too long. */
static bool is_hopeless(const struct enumeration *x, uint64_t made)
{
	const struct classify_config *c = x->c->config;
	double progress = dpor_progress(x->dpor);

	if (made >= c->interleavings || classifier_now() - x->start > (double)c->budget_seconds / BUDGET_PART)
		return true;
	return made >= ESTIMATE_AFTER && made % ESTIMATE_AFTER == 0 &&
	       (double)made / (double)(HOPELESS * c->interleavings) > progress;
}

static void keep_choices(struct enumeration *x)
{
	if (!(x->nmade & (x->nmade - 1)))
		x->choices_made = must_resize(x->choices_made, (x->nmade ? 2 * x->nmade : 1) * sizeof *x->choices_made);
	struct choices_made *m = &x->choices_made[x->nmade++];
	m->choice = must_alloc(STEP_CHOICES * sizeof *m->choice);
	m->count = dpor_choices(x->dpor, m->choice, STEP_CHOICES);
	m->choice = must_resize(m->choice, (m->count + 1) * sizeof *m->choice);
}

/* Reports the order of the execution's steps. */
static void report_steps(struct enumeration *x, const struct step_note *log, uint64_t count)
{
	const struct board_result *r = &x->replayer.process.board->result;
	const struct violation fails = {r->ending, r->signature};
	bool violated = trial_is_violation(&(struct trial){.ending = r->ending});

	encounters_begin(x->encounters, (uint32_t)x->outcome, violated ? &fails : NULL);
	encounters_add_steps(x->encounters, log, count);
	dpor_report(x->dpor, x->encounters);
}

static bool execute_all(struct enumeration *x)
{
	struct board *b = x->replayer.process.board;
	struct interleavings *all = &x->c->interleavings;
	const char *why;

	for (uint64_t made = 1;; made++) {
		if (replayer_hear(&x->replayer) != 'R')
			return snprintf(all->why, sizeof all->why, "the replay did not come to its beginning"), false;
		if (!take_execution(x))
			return false;
		uint64_t count;
		struct step_note *log = take_log(x, &count);
		bool stuck = count && (log[count - 1].kind == STEP_STUCK || log[count - 1].kind == STEP_REDUNDANT);
		orders_add(&all->orders, log, count, b->result.ending == ENDING_EXIT);
		bool ok = dpor_read_execution(x->dpor, log, count, !stuck, &why);
		if (ok && x->outcome != NONE) {
			report_steps(x, log, count);
			keep_choices(x);
		}
		bool more = ok && dpor_next(x->dpor);
		free(log);
		if (!more) {
			snprintf(all->why, sizeof all->why, "%s", why ? why : "");
			return !why;
		}
		if (is_hopeless(x, made) || classifier_out_of_time(x->c))
			return snprintf(all->why, sizeof all->why, "there are too many"), false;
		dpor_guide(x->dpor, &b->guide);
		if (!replayer_say(&x->replayer, 0))
			return false;
	}
}

/* Makes an execution once more. */
static void make_again(struct enumeration *x, uint32_t number, struct trial *t)
{
	struct board *b = x->replayer.process.board;
	const struct choices_made *m = &x->choices_made[number];

	b->guide.nchoices = m->count;
	b->guide.nsleepers = 0;
	memcpy(b->guide.choice, m->choice, m->count * sizeof *m->choice);
	if (!replayer_say(&x->replayer, 0) || replayer_hear(&x->replayer) != 'R')
		return;
	classifier_count_execution(x->c);
	replayer_take(&x->replayer, t);
	t->execution = primary_take(b);
	t->execution->races--; /* it is kept for no race yet */
}

/*
 * For each pair of places whose order decides something: makes an execution that shows it and one with the other order.
 */
static void show_effects(struct enumeration *x)
{
	struct effects *all = x->c->interleavings.effects;

	for (size_t i = 0; i < all->count && i < SHOWN; i++) {
		struct effect *e = &all->list[i];
		if (!e->prints && !effect_fails(e))
			continue;
		for (int k = 0; k < 2; k++)
			make_again(x, e->execution[k], &e->shown[k]);
	}
}

static bool prepare(struct enumeration *x, const struct execution *recorded, struct error *e)
{
	if (!replayer_prepare(&x->replayer, x->c, recorded, e))
		return false;
	struct board *b = x->replayer.process.board;
	b->config.detect = DETECT_RACES;
	b->config.stop_at = 1;
	b->config.stop = STOP_SERVE;
	b->config.step = 0;
	b->config.runs = x->c->config->interleavings + 1 + 2 * SHOWN;
	b->config.event_budget = BUDGET;
	b->config.every_operation = true;
	b->config.next_strategy.id = STRATEGY_EXHAUST;
	return replayer_start(&x->replayer, x->c, e);
}

/*
 * The recorded execution must be one of them. It is not if the program depends on something that changes when
 * executions start from a snapshot, above all on addresses of reused memory. If some executions end with an error that
 * only checks see, the recorded one may have continued past that error, and the question is not asked.
 */
static bool has_recorded(struct enumeration *x, const struct execution *recorded)
{
	struct replayer r = replayer_nothing;
	struct trial t = {0};
	struct error e;
	bool found = false;

	for (size_t i = 0; i < x->ends.count; i++)
		found |= x->ends.list[i].ending == ENDING_MEMORY || x->ends.list[i].ending == ENDING_LOCK;
	bool made = !found && replayer_prepare(&r, x->c, recorded, &e);

	if (made) {
		struct board_config *config = &r.process.board->config;
		config->detect = DETECT_OFF;
		config->stop_at = 1;
		config->stop = STOP_SERVE;
		config->runs = 1;
		config->next_strategy.id = STRATEGY_REPLAY;
		made = replayer_start(&r, x->c, &e) && replayer_hear(&r) == 'R';
	}
	if (made)
		replayer_take(&r, &t);
	for (size_t i = 0; made && !found && i < x->ends.count; i++) {
		const struct trial *end = &x->ends.list[i];
		found = trial_is_violation(&t) ? trial_is_violation(end) && trial_same_violation(end, &t)
		                               : trial_same_output(end, &t);
	}
	trial_free(&t);
	replayer_end(&r);
	if (made && !found)
		snprintf(x->c->interleavings.why, sizeof x->c->interleavings.why,
		         "the recorded execution ends as none of them: it depends on more than the order of steps");
	return !made || found;
}

bool all_interleavings_execute(struct classifier *c, const struct execution *recorded, uint64_t most,
                               struct chosen_primaries *chosen, struct error *e)
{
	struct enumeration x = {.c = c, .chosen = chosen, .most = most, .replayer = replayer_nothing};

	c->interleavings.complete = false;
	if (!c->config->interleavings || c->manifest->memory.model != MEMORY_SC ||
	    recorded->result->points > POINTS_MOST)
		return false;
	x.start = classifier_now();
	x.dpor = dpor_new(!c->config->unreduced);
	x.encounters = encounters_new();
	bool ok = prepare(&x, recorded, e) && execute_all(&x) && has_recorded(&x, recorded);
	c->interleavings.complete = ok;
	bool agree = interleavings_agree(&c->interleavings);
	if (ok) {
		c->interleavings.effects = effects_sum(x.encounters, &c->interleavings);
		show_effects(&x);
	}
	replayer_end(&x.replayer);
	dpor_free(x.dpor);
	encounters_free(x.encounters);
	for (size_t i = 0; i < x.nmade; i++)
		free(x.choices_made[i].choice);
	free(x.choices_made);
	/* where nothing can go wrong, a few primaries are enough to see why */
	while (ok && chosen->count < (agree && most > PRIMARIES_IF_AGREED ? PRIMARIES_IF_AGREED : most) &&
	       x.others.count)
		primaries_add(chosen, x.others.list[--x.others.count]);
	primaries_free(&x.others);
	trials_free(&x.ends);
	if (!ok)
		primaries_free(chosen);
	return ok;
}
