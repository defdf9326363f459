/*
 * PCT (Burckhardt, Kothari, Musuvathi, Nagarakatte, ASPLOS 2010): every fiber gets a random priority, the runnable
 * fiber with the highest one runs, and at d-1 points drawn from the expected length the running fiber drops below all
 * others.  A fiber that yields or spins drops too: the paper's threads always make progress, these need not.
 */
#include "rt/strategy/strategies.h"

#define MAX_CHANGES 64

static struct {
	uint64_t changes[MAX_CHANGES]; /* sorted */
	uint32_t nchanges, next;
	uint64_t lowest; /* priority of the next fiber that drops */
} state;

void pct_begin(uint32_t depth, uint64_t length)
{
	state.nchanges = depth - 1 < MAX_CHANGES ? depth - 1 : MAX_CHANGES;
	state.next = 0;
	state.lowest = 1ul << 32;
	for (uint32_t i = 0; i < state.nchanges; i++) {
		uint64_t at = 1 + strategy_random_below(length);
		uint32_t k = i;
		for (; k && state.changes[k - 1] > at; k--)
			state.changes[k] = state.changes[k - 1];
		state.changes[k] = at;
	}
	omen.interest = state.nchanges ? state.changes[0] : UINT64_MAX;
	for (uint32_t i = 0; i < omen.nlive; i++)
		omen.live[i]->priority = 0;
}

static void start(void)
{
	const struct strategy_config *c = &omen.board->config.strategy;

	strategy_seed();
	pct_begin(c->depth, c->length ? c->length : 1000);
}

static struct fiber *run(enum point_kind kind)
{
	bool drop = kind == POINT_YIELD;
	struct fiber *best = NULL;

	while (state.next < state.nchanges && state.changes[state.next] <= omen.points) {
		state.next++;
		drop = true;
	}
	omen.interest = state.next < state.nchanges ? state.changes[state.next] : UINT64_MAX;
	if (drop)
		omen.current->priority = --state.lowest;
	for (uint32_t i = 0; i < omen.nrunnable; i++) {
		struct fiber *f = omen.runnable[i];
		if (!f->priority)
			f->priority = (1ul << 32) + 1 + strategy_random_below(1ul << 31);
		if (!best || f->priority > best->priority || (f->priority == best->priority && f->id < best->id))
			best = f;
	}
	return best;
}

const struct strategy strategy_pct = {"pct", start, run, strategy_wake_any, strategy_pick_any, NULL, TIME_JUMPS};
