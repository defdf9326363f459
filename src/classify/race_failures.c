#include "classify/race_failures.h"

#include <stdio.h>

#include "classify/failure_list.h"
#include "classify/interleaving_proof.h"

bool race_failures_explain(const struct race_tallies *all, const struct board_result *r)
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
	                                .every_operation = f->departure.every_operation,
	                                .unchecked = f->departure.check == CHECK_OFF,
	                                .fails_at = f->result->violation_key,
	                                .event_budget = f->departure.event_budget,
	                                .lost_entries = f->lost_entries};

	return execution_copy(&shown);
}

void race_failures_take_uses(struct classifier *c, const struct race_tallies *all)
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
			                               .trial = trial_of_result(f->result)};
			tally->spec.trial.execution = execution_of(f);
			tally->k++;
		}
	}
}

void race_failures_suspect(struct race_tally *tally, const struct primary *p, bool raceless)
{
	const struct board_result *r = p->execution->result;
	struct failure_blame *b = tally_failure(tally, r->ending, r->signature);
	bool blamed = !raceless && b && blame_of(b) == BLAME_RACE;

	if (tally->spec.found)
		return;
	if (is_at_access(tally, r) || blamed) {
		if (b)
			b->decided = true;
		tally->k++;
		tally->spec =
		        (struct finding){.found = true, .watch = race_watch(tally->seen), .trial = trial_of_result(r)};
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

/* If only one thread is left, what it reads is not known, so such an execution is not considered. */
static bool has_several_threads(const struct finding *f)
{
	return f->trial.execution && f->trial.execution->result->nstacks > 1;
}

void race_failures_withdraw(struct classifier *c, const struct race_tallies *all)
{
	for (size_t i = 0; i < all->count; i++) {
		struct race_tally *tally = &all->list[i];
		struct finding *f = &tally->spec;
		bool raceless = failure_list_is_raceless(c, f->trial.ending, f->trial.signature);
		if (f->found && tally->tried && !f->before && has_several_threads(f) &&
		    access_history_hides_order(tally->accesses, tally->race->execution->result)) {
			f->found = false;
			tally->nfailures = 0;
		}
		if (f->found && !f->sure && raceless)
			f->found = false;
	}
}

void race_failures_assign(struct classifier *c, const struct race_tallies *all)
{
	for (size_t k = 0; c->failures && k < c->failures->count; k++) {
		struct failure *f = c->failures->list[k];
		struct trial this = trial_of_result(f->result);
		for (size_t i = 0; i < all->count; i++) {
			const struct race_tally *tally = &all->list[i];
			const struct verdict *v = tally->race->verdict;
			enum blame proven = proof_blame(c, tally, f);
			if (v->kind != VERDICT_SPEC || !v->alternate || proven == BLAME_NO_RACE)
				continue;
			struct trial shown = trial_of_result(v->alternate->result);
			if ((f->own || f->constant || !trial_same_violation(&shown, &this)) &&
			    !tally_causes(tally, this.ending, this.signature) && proven != BLAME_RACE)
				continue;
			f->races = must_resize(f->races, (f->nraces + 1) * sizeof *f->races);
			f->races[f->nraces++] = tally->race;
		}
	}
}
