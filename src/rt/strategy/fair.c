/* Fair: a fiber runs until it blocks, stands back or has used up its loop budget; then the next in turn. */
#include "rt/strategy/strategies.h"

static void start(void) {}

static struct fiber *run(enum point_kind kind)
{
	return kind == POINT_SYNC || kind == POINT_ACCESS ? omen.current : strategy_next_in_turn();
}

const struct strategy strategy_fair = {"fair", start, run, strategy_wake_oldest};
