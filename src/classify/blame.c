/*
 * What causes a failure? (docs/design.md, "Blame")
 *
 * The race causes it if its order decides it: from the same snapshot, with schedules that are as random, the failure
 * comes in one of the two orders and never in the other. After the two accesses the same race and others may come
 * again, so a failure that comes in both orders may still need one of them. Then all other accesses to bytes that race
 * are kept in the order of the primary (fibers/strategy/keep_order.c). A failure that comes so with the recorded order
 * needs no race and is reported as a failure of its own. One that comes so only in the other order is caused by this
 * race.
 */
#include "classify/failure_list.h"
#include "classify/instance.h"

#define FEWEST_CONTROLS 48
#define MOST_CONTROLS   600
#define PER_EXECUTION   10 /* controls per execution that it took to find the failure, which may be rarer in them */
#define KEPT            64
#define ASKED           6 /* instances in which one failure is examined if no answer is found */

enum answer { NEVER, ONCE, LOST };

/* What a search has shown. */
struct seen {
	struct trial trial; /* the trial that fails in the same way */
	uint64_t made;      /* trials that followed their plan */
};

static bool is_as_wanted(const struct board_plan *p, const struct trial *t)
{
	return !p->keeps || (!t->strayed && t->outcome == PLAN_DONE);
}

/* Makes up to n trials of this plan. Does one fail in the same way? */
static enum answer look(struct instance *x, const struct trial *failure, struct board_plan p, uint64_t n,
                        struct seen *seen)
{
	struct trial t;

	for (uint64_t i = 0; i < n && !classifier_out_of_time(x->worker->classifier); i++) {
		if (i) {
			p.seed = x->next_control++;
			p.lingers = false;
		}
		if (!worker_try(x->worker, &p, &t))
			return LOST;
		bool wanted = is_as_wanted(&p, &t);
		seen->made += wanted;
		if (wanted && trial_same_violation(&t, failure)) {
			seen->trial = t;
			return ONCE;
		}
		trial_free(&t);
	}
	return NEVER;
}

static enum answer look_freely(struct instance *x, const struct trial *failure, uint32_t order,
                               const struct question *q)
{
	struct seen seen = {0};
	struct board_plan p = instance_plan(x, order, q->seed);
	uint64_t n = PER_EXECUTION * q->made;

	p.compare = p.looks = false;
	p.lingers = q->lingers;
	n = n < FEWEST_CONTROLS ? FEWEST_CONTROLS : n > MOST_CONTROLS ? MOST_CONTROLS : n;
	enum answer a = look(x, failure, p, n, &seen);
	trial_free(&seen.trial);
	return a;
}

static enum answer look_kept(struct instance *x, const struct trial *failure, uint32_t order, struct seen *seen)
{
	struct board_plan p = instance_plan(x, order, x->next_control++);

	if (!x->worker->replayer.process.board->ntouches)
		return NEVER;
	p.compare = false;
	p.looks = p.keeps = true; /* a race that the primary does not have may be the cause */
	p.last = x->at->touch[1];
	p.onward.id = STRATEGY_KEEP;
	return look(x, failure, p, KEPT, seen);
}

/*
 * The primary has this failure: it must go away when only this race is reversed and all else goes on undisturbed.
 * False: the process is lost.
 */
static bool ask_why(struct instance *x, const struct trial *t, struct failure_blame *b)
{
	struct board_plan p = instance_plan(x, PLAN_SECOND, 0);
	struct seen seen = {0};

	if (!x->worker->replayer.process.board->ntouches)
		return true;
	p.compare = p.looks = false;
	p.keeps = p.alone = true;
	p.last = x->at->touch[1];
	enum answer a = look(x, t, p, 1, &seen);
	b->decided |= a == NEVER && seen.made;
	b->stays += a == ONCE;
	trial_free(&seen.trial);
	return a != LOST;
}

/* The failure comes with all races in the recorded order. Does it also come in the other order of this race? */
static bool ask_both(struct instance *x, const struct trial *t, const struct question *q, struct failure_blame *b)
{
	enum answer a = q->brings == PLAN_SECOND ? ONCE : look_freely(x, t, PLAN_SECOND, q);

	b->both |= a == ONCE;
	b->decided |= a == NEVER;
	return a != LOST;
}

/*
 * The failure comes in both orders, but not with all races in the recorded order. Does it come if only this race is
 * reversed?
 */
static bool ask_alone(struct instance *x, struct trial *t, struct failure_blame *b)
{
	struct seen seen = {0};
	enum answer a = look_kept(x, t, PLAN_SECOND, &seen);

	b->decided |= a == ONCE;
	if (a == ONCE && t->outcome != PLAN_DONE) { /* this trial also shows the order */
		trial_free(t);
		*t = seen.trial;
	} else {
		trial_free(&seen.trial);
	}
	return a != LOST;
}

static bool ask(struct instance *x, struct trial *t, const struct question *q, struct failure_blame *b)
{
	struct seen seen = {0};
	enum answer a = look_kept(x, t, PLAN_FIRST, &seen);

	trial_free(&seen.trial);
	if (a != NEVER)
		return a == ONCE && ask_both(x, t, q, b);
	a = look_freely(x, t, q->brings == PLAN_FIRST ? PLAN_SECOND : PLAN_FIRST, q);
	b->decided |= a == NEVER;
	return a == ONCE && q->brings == PLAN_SECOND ? ask_alone(x, t, b) : a != LOST;
}

bool blame_examine(struct instance *x, struct trial *t, const struct question *q, enum blame *answer)
{
	struct failure_blame *b = tally_failure(x->tally, t->ending, t->signature);
	bool ok = true;

	if (b && blame_of(b) != BLAME_NO_RACE && blame_of(b) != BLAME_RACE && b->asked < ASKED) {
		b->asked++;
		ok = trial_same_violation(&x->worker->recorded, t) ? ask_why(x, t, b) : ask(x, t, q, b);
	}
	*answer = b ? blame_of(b) : BLAME_UNKNOWN;
	return ok;
}

/* Makes trials with this order: does one pass this violation? */
static enum answer look_for_passed(struct instance *x, uint32_t order, uint32_t which)
{
	struct trial t;

	for (uint64_t i = 1; i <= FEWEST_CONTROLS && !classifier_out_of_time(x->worker->classifier); i++) {
		struct board_plan p = instance_plan(x, order, x->next_control++);
		if (!worker_try(x->worker, &p, &t))
			return LOST;
		bool has = t.passed >> which & 1;
		trial_free(&t);
		if (has)
			return ONCE;
	}
	return NEVER;
}

/* Makes a trial that ends at this violation. */
static bool show_passed(struct instance *x, uint32_t order, uint32_t which, struct trial *shown)
{
	struct board_config *c = &x->worker->replayer.process.board->config;
	struct board_plan p = instance_plan(x, order, 0);
	uint64_t key = c->passed[which];

	c->passed[which] = 0;
	bool ok = worker_try(x->worker, &p, shown);
	c->passed[which] = key;
	return ok;
}

bool blame_passed(struct instance *x, const struct trial *first, const struct trial *other, struct trial *shown)
{
	bool made = first->outcome == PLAN_DONE && other->outcome == PLAN_DONE && trial_is_complete(first) &&
	            trial_is_complete(other);
	uint64_t differ = made ? first->passed ^ other->passed : 0;

	if (!differ)
		return true;
	uint32_t which = (uint32_t)__builtin_ctzl(differ);
	bool recorded = first->passed >> which & 1;
	const struct board_result *r = x->worker->classifier->constant_failures[which]->result;
	struct failure_blame *b = tally_failure(x->tally, r->ending, r->signature);
	if (!b || b->asked == ASKED || b->decided)
		return true;
	b->asked++;
	enum answer a = look_for_passed(x, recorded ? PLAN_SECOND : PLAN_FIRST, which);
	b->both |= a == ONCE;
	b->decided |= a == NEVER;
	return a != LOST && (a == ONCE || show_passed(x, recorded ? PLAN_FIRST : PLAN_SECOND, which, shown));
}
