/*
 * Random: any runnable fiber at each synchronisation point.  Plain accesses are far more frequent, and how finely they
 * must be cut differs from bug to bug: each execution draws its own mean distance between two cuts, 2 to 256.
 */
#include "rt/strategy/strategies.h"

static struct {
	uint64_t mean;
} state;

static void start(void)
{
	strategy_seed();
	state.mean = 2u << strategy_random_below(8);
	omen.interest = 1 + strategy_random_below(2 * state.mean);
}

static struct fiber *run(enum point_kind kind)
{
	if (kind == POINT_ACCESS || omen.interest <= omen.points)
		omen.interest = omen.points + 1 + strategy_random_below(2 * state.mean);
	return omen.runnable[strategy_random_below(omen.nrunnable)];
}

const struct strategy strategy_random = {"random", start, run, strategy_wake_any, strategy_pick_any};
