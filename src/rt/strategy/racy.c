/*
 * Racy: as random, but it switches only before accesses to the bytes that race in the execution that this one has left
 * (board.watched), and where threads synchronise.  What a race does mostly depends on the order of the accesses to
 * these few bytes; switches anywhere else only make a hit rarer.  How often it switches is drawn for each execution.
 * Where no byte is known to race, it is the same as random.
 */
#include "rt/strategy/strategies.h"
#include "rt/shadow/watch.h"

#define LEAST_OFTEN 3    /* powers of 2: one of 2 to 8 such accesses, and one of 2 to 16 synchronisations */
#define SHORT       4096 /* switches: a long execution would do nothing but switch */

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
