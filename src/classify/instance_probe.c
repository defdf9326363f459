/*
 * User-made synchronisation: does a read only wait for the write, in a loop? (docs/design.md, "Classification":
 * PLAN_PROBE and PLAN_PASSED)
 */
#include "classify/instance.h"

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
	                       .next_strategy = {.id = STRATEGY_FAIR}};
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
