/*
 * What an execution prints may come from a clock, a CPU time or an id, and then says nothing. Which parts do is found
 * by making the same execution again with other clocks (clock_output.c): some are ahead; some are faster by a little or
 * by much, because what is measured between two readings does not depend on the time of day; some differ by so little
 * that no limit is reached. This is asked once per instance; if clocks make no difference, nothing is made twice.
 */
#include "classify/other_clocks.h"

#include <stdlib.h>

#include "classify/clock_output.h"

#define AHEAD  1 /* plan.other_clocks */
#define LITTLE 4
#define BIT(c) (1u << (c))
#define ALL    (BIT(OTHER_CLOCKS + 1) - BIT(AHEAD))

/* Makes an execution of this plan with other clocks, or with its own (0). */
static bool execute(struct instance *x, const struct board_plan *plan, uint32_t clocks, struct trial *t)
{
	struct board_plan p = *plan;

	p.other_clocks = clocks;
	p.keep_outputs = true;
	p.detect_after = false;
	return worker_try(x->worker, &p, t);
}

/* Does the output of this plan change with the clocks? False: the process is lost. */
static bool ask_plan(struct instance *x, const struct board_plan *plan, const struct trial *t, bool *changes)
{
	struct trial other;

	for (uint32_t clocks = AHEAD + 1; clocks < LITTLE && !*changes; clocks++) {
		if (!execute(x, plan, clocks, &other))
			return false;
		*changes = !trial_same_output(&other, t);
		trial_free(&other);
	}
	return true;
}

/* Gets the bytes of files and connections. If they were not kept, the same execution is made again. */
static bool get_bytes(struct instance *x, const struct board_plan *plan, struct trial *t)
{
	struct trial same;

	if (t->kept || !t->noutputs)
		return true;
	if (!execute(x, plan, 0, &same))
		return false;
	if (trial_same_output(&same, t) && same.noutputs == t->noutputs) {
		free(t->outputs);
		t->outputs = same.outputs;
		t->kept = same.kept;
		same.outputs = NULL;
		same.kept = NULL;
	}
	trial_free(&same);
	return true;
}

/* Makes the execution with all other clocks of this instance. Keeps those that come to an end. */
static bool execute_all(struct instance *x, const struct board_plan *plan, struct trials *all)
{
	for (uint32_t clocks = AHEAD; clocks <= OTHER_CLOCKS; clocks++) {
		struct trial t;
		if (!(x->other_clocks & BIT(clocks)))
			continue;
		if (!execute(x, plan, clocks, &t))
			return false;
		if (trial_is_complete(&t))
			all->list[all->count++] = t;
		else
			trial_free(&t);
	}
	return true;
}

/* Hides what changes; `ahead` stays true if clocks that are only ahead change the same. */
static bool hide(struct instance *x, const struct board_plan *plan, struct trial *t, bool *ahead)
{
	struct trials again = {.list = must_alloc(OTHER_CLOCKS * sizeof *again.list)};
	bool ok = get_bytes(x, plan, t) && execute_all(x, plan, &again);

	if (ok && ahead && again.count == OTHER_CLOCKS) {
		clock_output_hide(t, again.list, 1);
		struct trial first = *t->plain;
		*t->plain = (struct trial){0};
		clock_output_hide(t, again.list, again.count);
		*ahead &= trial_same_output(&first, t->plain);
		trial_free(&first);
	} else if (ok) {
		clock_output_hide(t, again.list, again.count);
		if (ahead)
			*ahead = false;
	}
	trials_free(&again);
	return ok;
}

/* Asked once: does anything change? If so, decides with which clocks executions are made from now on. */
static bool decide_clocks(struct instance *x, const struct board_plan *plan, struct trial *t)
{
	struct board_plan recorded = instance_plan(x, PLAN_FIRST, 0);
	struct trial *first = &x->recorded_trials.list[0];
	bool changes = false, ahead = true;

	x->clocks_asked = true;
	if (!trial_is_complete(first) || !trial_is_complete(t))
		return true;
	if (!ask_plan(x, &recorded, first, &changes) || !ask_plan(x, plan, t, &changes))
		return false;
	if (!changes)
		return true;
	x->other_clocks = ALL;
	if (!hide(x, &recorded, first, &ahead) || !hide(x, plan, t, &ahead))
		return false;
	if (ahead)
		x->other_clocks = BIT(AHEAD);
	return true;
}

bool clocks_ask(struct instance *x, const struct board_plan *plan, struct trial *t)
{
	if (x->clocks_asked || !x->recorded_trials.count)
		return clocks_hide(x, plan, t);
	return decide_clocks(x, plan, t);
}

bool clocks_hide(struct instance *x, const struct board_plan *plan, struct trial *t)
{
	return !x->other_clocks || t->plain || !trial_is_complete(t) || hide(x, plan, t, NULL);
}
