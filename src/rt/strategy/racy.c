/*
 * Racy: as random, but threads are left before accesses to the bytes that race in the execution that this one has left
 * (board.watched), and where they synchronise; elsewhere the running one goes on.  What a race does mostly hangs on how
 * the accesses to these few bytes come one after the other, and cuts anywhere else only make a hit rarer.  How often a
 * thread is left is drawn for each execution; where nothing is known to race it is as random.
 */
#include "rt/strategy/strategies.h"
#include "rt/shadow/watch.h"

#define LEAST_OFTEN 3    /* powers of 2: one of 2 to 8 such accesses, and of 2 to 16 times that they synchronise */
#define SHORT       4096 /* cuts: a long execution would do nothing but switch */

static struct {
	uint64_t accesses, syncs, cuts;
} state;

static void start(void)
{
	strategy_seed();
	random_begin();
	state.accesses = 2u << strategy_random_below(LEAST_OFTEN);
	state.syncs = 2u << strategy_random_below(LEAST_OFTEN + 1);
	state.cuts = 0;
}

static bool is_left(uint64_t one_of) { return !strategy_random_below(one_of * (1 + state.cuts / SHORT)); }

static struct fiber *any_other(void)
{
	const struct fiber *one = omen.current;
	struct fiber *f;

	state.cuts++;
	if (omen.nrunnable == 1)
		return omen.runnable[0];
	do
		f = omen.runnable[strategy_random_below(omen.nrunnable)];
	while (f == one);
	return f;
}

static struct fiber *run(enum point_kind kind)
{
	if (watch_from(0) == watch_end())
		return strategy_random.run(kind);
	omen.interest = 0;
	if (kind == POINT_ACCESS && !watch_first(omen.current->about, 1))
		return omen.current;
	if (kind != POINT_BLOCKED && kind != POINT_YIELD &&
	    !is_left(kind == POINT_ACCESS ? state.accesses : state.syncs))
		return omen.current;
	return any_other();
}

const struct strategy strategy_racy = {"racy", start, run, strategy_wake_any, strategy_pick_any, NULL, TIME_JUMPS};
