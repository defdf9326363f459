/*
 * Fair: a fiber runs until it blocks, yields or has used up its loop budget; then the next one in turn runs.
 *
 * A loop that takes and gives back a lock would always use up its budget at the same place, perhaps with the lock held,
 * and threads that wait for the lock would starve.  So a fiber also yields after a number of synchronisation points, a
 * few more each time: sooner or later that is where the lock is free.
 */
#include "rt/strategy/strategies.h"

#define PATIENCE 1000

static struct {
	uint64_t since; /* the point of the last switch */
	uint32_t turns;
} state;

static void start(void)
{
	state.since = omen.points;
	state.turns = 0;
}

static struct fiber *run(enum point_kind kind)
{
	if (kind == POINT_STREAM)
		return omen.current;
	if ((kind == POINT_SYNC || kind == POINT_ACCESS) && omen.points - state.since < PATIENCE + state.turns % 16)
		return omen.current;
	state.turns += kind == POINT_SYNC;
	state.since = omen.points;
	return strategy_next_in_turn();
}

const struct strategy strategy_fair = {"fair", start,     run, strategy_wake_oldest, strategy_pick_newest,
                                       NULL,   TIME_COMES};
