/*
 * Random: any runnable fiber at each synchronisation point.  Plain accesses are far more frequent, and how finely they
 * must be cut differs from bug to bug.  So each execution draws its own mean distance between two cuts, 2 to 256.  The
 * distance grows with the number of cuts, because a long execution would do nothing but switch.  For the same reason
 * the fiber is not switched away from at every byte of a long output.
 */
#include "rt/strategy/strategies.h"

#define SHORT 4096 /* cuts, or calls of streams */

static struct {
	uint64_t mean, cuts, streams;
} state;

static void cut_later(void)
{
	uint64_t mean = state.mean * (1 + state.cuts++ / SHORT);

	omen.interest = omen.points + 1 + strategy_random_below(2 * mean);
}

void random_begin(void)
{
	state.mean = 2u << strategy_random_below(8);
	state.cuts = state.streams = 0;
	omen.interest = 1 + strategy_random_below(2 * state.mean);
}

static void start(void)
{
	strategy_seed();
	random_begin();
}

static struct fiber *run(enum point_kind kind)
{
	if (kind == POINT_ACCESS || omen.interest <= omen.points)
		cut_later();
	if (kind == POINT_STREAM && strategy_random_below(1 + state.streams++ / SHORT))
		return omen.current;
	return omen.runnable[strategy_random_below(omen.nrunnable)];
}

const struct strategy strategy_random = {"random", start, run, strategy_wake_any, strategy_pick_any, NULL, TIME_JUMPS};
