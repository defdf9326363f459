/*
 * Coarse: any runnable fiber, but only where threads synchronise, call the kernel or wait; what stands between two such
 * points is never cut.  So what differs from one execution to the next comes of who was faster, not of accesses that
 * get between each other.  How often the running fiber is left is drawn for each execution: all of its points, or few.
 *
 * Nor does time wait until all others have nothing to do: whenever somebody has to wait, the next who sleeps may have
 * slept enough.  No schedule says so, so these executions cannot be replayed; they are for comparison only.
 */
#include "rt/env/env.h"
#include "rt/strategy/strategies.h"

static uint64_t turn; /* points, on average */

static void start(void)
{
	strategy_seed();
	turn = 1u << strategy_random_below(6);
	omen.interest = UINT64_MAX;
}

static void let_time_pass(void)
{
	if (omen.next_deadline == NEVER || strategy_random_below(2))
		return;
	if (omen.clock < omen.next_deadline)
		omen.clock = omen.next_deadline;
	env_fire_timers();
}

static struct fiber *run(enum point_kind kind)
{
	if (kind == POINT_BLOCKED)
		let_time_pass();
	omen.interest = UINT64_MAX;
	if (kind == POINT_ACCESS || (kind == POINT_SYNC && strategy_random_below(turn)))
		return omen.current;
	return omen.runnable[strategy_random_below(omen.nrunnable)];
}

const struct strategy strategy_coarse = {"coarse", start, run, strategy_wake_any, strategy_pick_any};
