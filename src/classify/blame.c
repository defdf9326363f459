/*
 * What causes a failure? (docs/design.md, "Blame")
 *
 * The race causes it if its order decides it: from the same snapshot, with schedules that are as random, the failure
 * comes in one of the two orders and never in the other. After the two accesses the same race and others may come
 * again, so a failure that comes in both orders may still need one of them. Then all other accesses to bytes that race
 * are kept in the order of the primary (rt/strategy/keep_order.c). A failure that comes so with the recorded order
 * needs no race and is reported as a failure of its own. One that comes so only in the other order is caused by this
 * race.
 */
#include "classify/blame.h"

#include "classify/failure_list.h"

#define LEAST_CONTROLS 48
#define MOST_CONTROLS  600
#define PER_EXECUTION  10 /* controls per execution that it took to find the failure, which may be rarer in them */
#define KEPT_CONTROLS  64
#define KEPT_VAIN      12 /* of them, if none so far followed its plan: nearly always none ever does */
#define EXAMINED_MOST  6  /* instances in which one failure is examined if no answer is found */

enum search_answer { NOT_SEEN, SEEN, PROCESS_LOST };

/* What a search has shown. */
struct search_result {
	struct trial trial; /* the trial that fails in the same way */
	uint64_t made;      /* trials that followed their plan */
};

static bool followed_plan(const struct board_plan *p, const struct trial *t)
{
	return !p->keep_order || (!t->out_of_order && t->outcome == PLAN_DONE);
}

/* Makes up to n trials of this plan. Does one fail in the same way? */
static enum search_answer search(struct instance *x, const struct trial *failure, struct board_plan p, uint64_t n,
                                 struct search_result *result)
{
	struct trial t;

	for (uint64_t i = 0; i < n && !classifier_out_of_time(x->worker->classifier); i++) {
		if (i == KEPT_VAIN && !result->made)
			break;
		if (i) {
			p.seed = x->next_seed++;
			p.run_on = false;
		}
		if (!worker_try(x->worker, &p, &t))
			return PROCESS_LOST;
		bool wanted = followed_plan(&p, &t);
		result->made += wanted;
		if (wanted && trial_same_violation(&t, failure)) {
			result->trial = t;
			return SEEN;
		}
		trial_free(&t);
	}
	return NOT_SEEN;
}

static enum search_answer search_freely(struct instance *x, const struct trial *failure, uint32_t order,
                                        const struct trial_origin *origin)
{
	struct search_result result = {0};
	struct board_plan p = instance_plan(x, order, origin->seed);
	uint64_t n = PER_EXECUTION * origin->made;

	p.compare = p.detect_after = false;
	p.run_on = origin->run_on;
	n = n < LEAST_CONTROLS ? LEAST_CONTROLS : n > MOST_CONTROLS ? MOST_CONTROLS : n;
	enum search_answer a = search(x, failure, p, n, &result);
	trial_free(&result.trial);
	return a;
}

static enum search_answer search_keeping_order(struct instance *x, const struct trial *failure, uint32_t order,
                                               struct search_result *result)
{
	struct board_plan p = instance_plan(x, order, x->next_seed++);

	if (!x->worker->replayer.process.board->ntouches)
		return NOT_SEEN;
	p.compare = false;
	p.detect_after = p.keep_order = true; /* a race that the primary does not have may be the cause */
	p.last = x->at->touch[1];
	p.next_strategy.id = STRATEGY_KEEP;
	return search(x, failure, p, KEPT_CONTROLS, result);
}

/*
 * The primary has this failure: it must go away when only this race is reversed and all else goes on undisturbed.
 * False: the process is lost.
 */
static bool examine_failing_primary(struct instance *x, const struct trial *t, struct failure_blame *b)
{
	struct board_plan p = instance_plan(x, PLAN_SECOND, 0);
	struct search_result result = {0};

	if (!x->worker->replayer.process.board->ntouches)
		return true;
	p.compare = p.detect_after = false;
	p.keep_order = p.alone = true;
	p.last = x->at->touch[1];
	enum search_answer a = search(x, t, p, 1, &result);
	b->decided |= a == NOT_SEEN && result.made;
	b->stays += a == SEEN;
	trial_free(&result.trial);
	return a != PROCESS_LOST;
}

/* The failure comes with all races in the recorded order. Does it also come in the other order of this race? */
static bool examine_other_order(struct instance *x, const struct trial *t, const struct trial_origin *origin,
                                struct failure_blame *b)
{
	enum search_answer a = origin->order == PLAN_SECOND ? SEEN : search_freely(x, t, PLAN_SECOND, origin);

	b->both |= a == SEEN;
	b->decided |= a == NOT_SEEN;
	return a != PROCESS_LOST;
}

/*
 * The failure comes in both orders, but not with all races in the recorded order. Does it come if only this race is
 * reversed?
 */
static bool examine_reversed_alone(struct instance *x, struct trial *t, struct failure_blame *b)
{
	struct search_result result = {0};
	enum search_answer a = search_keeping_order(x, t, PLAN_SECOND, &result);

	b->decided |= a == SEEN;
	if (a == SEEN && t->outcome != PLAN_DONE) { /* this trial also shows the order */
		trial_free(t);
		*t = result.trial;
	} else {
		trial_free(&result.trial);
	}
	return a != PROCESS_LOST;
}

static bool examine(struct instance *x, struct trial *t, const struct trial_origin *origin, struct failure_blame *b)
{
	struct search_result result = {0};
	enum search_answer a = search_keeping_order(x, t, PLAN_FIRST, &result);

	trial_free(&result.trial);
	if (a != NOT_SEEN)
		return a == SEEN && examine_other_order(x, t, origin, b);
	a = search_freely(x, t, origin->order == PLAN_FIRST ? PLAN_SECOND : PLAN_FIRST, origin);
	b->decided |= a == NOT_SEEN;
	return a == SEEN && origin->order == PLAN_SECOND ? examine_reversed_alone(x, t, b) : a != PROCESS_LOST;
}

bool blame_examine(struct instance *x, struct trial *t, const struct trial_origin *origin, enum blame *answer)
{
	struct failure_blame *b = tally_failure(x->tally, t->ending, t->signature);
	bool ok = true;

	if (b && blame_of(b) != BLAME_NO_RACE && blame_of(b) != BLAME_RACE && b->asked < EXAMINED_MOST) {
		b->asked++;
		ok = trial_same_violation(&x->worker->recorded, t) ? examine_failing_primary(x, t, b)
		                                                   : examine(x, t, origin, b);
	}
	*answer = b ? blame_of(b) : BLAME_UNKNOWN;
	return ok;
}

/* Makes trials with this order: does one pass this violation? */
static enum search_answer search_passed(struct instance *x, uint32_t order, uint32_t which)
{
	struct trial t;

	for (uint64_t i = 1; i <= LEAST_CONTROLS && !classifier_out_of_time(x->worker->classifier); i++) {
		struct board_plan p = instance_plan(x, order, x->next_seed++);
		if (!worker_try(x->worker, &p, &t))
			return PROCESS_LOST;
		bool has = t.tolerated >> which & 1;
		trial_free(&t);
		if (has)
			return SEEN;
	}
	return NOT_SEEN;
}

/* Makes a trial that ends at this violation. */
static bool make_failing_at_passed(struct instance *x, uint32_t order, uint32_t which, struct trial *shown)
{
	struct board_config *c = &x->worker->replayer.process.board->config;
	struct board_plan p = instance_plan(x, order, 0);
	uint64_t key = c->tolerated[which];

	c->tolerated[which] = 0;
	bool ok = worker_try(x->worker, &p, shown);
	c->tolerated[which] = key;
	return ok;
}

bool blame_passed(struct instance *x, const struct trial *first, const struct trial *other, struct trial *shown)
{
	bool made = first->outcome == PLAN_DONE && other->outcome == PLAN_DONE && trial_is_complete(first) &&
	            trial_is_complete(other);
	uint64_t differ = made ? first->tolerated ^ other->tolerated : 0;

	if (!differ)
		return true;
	uint32_t which = (uint32_t)__builtin_ctzl(differ);
	bool recorded = first->tolerated >> which & 1;
	const struct board_result *r = x->worker->classifier->constant_failures[which]->result;
	struct failure_blame *b = tally_failure(x->tally, r->ending, r->signature);
	if (!b || b->asked == EXAMINED_MOST || b->decided)
		return true;
	b->asked++;
	enum search_answer a = search_passed(x, recorded ? PLAN_SECOND : PLAN_FIRST, which);
	b->both |= a == SEEN;
	b->decided |= a == NOT_SEEN;
	return a != PROCESS_LOST &&
	       (a == SEEN || make_failing_at_passed(x, recorded ? PLAN_FIRST : PLAN_SECOND, which, shown));
}
