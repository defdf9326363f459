/*
 * Meet: turns as a predicted order has them (abi/prediction_log.h), each up to an operation of the fiber's own.  At
 * their end two fibers stand before the accesses that are to race.  Then the execution goes on with default choices.
 */
#include "rt/strategy/strategies.h"

#define TURNS ((const struct board_turn *)BOARD_EVENTS_ADDRESS)

static void start(void)
{
	omen.board->turns_made = omen.board->meeting[0] = omen.board->meeting[1] = 0;
	omen.interest = 0;
	strategy_fair.start();
}

static enum meeting whereabouts(const struct board_turn *t)
{
	const struct fiber *f = NULL;

	for (uint32_t i = 0; i < omen.nlive; i++)
		if (omen.live[i]->id == t->thread)
			f = omen.live[i];
	if (!f)
		return MEETING_GONE;
	if (f->ops >= t->until)
		return MEETING_THERE;
	return f->state == FIBER_BLOCKED ? MEETING_WAITS : MEETING_ELSEWHERE;
}

/*
 * Everything but the accesses themselves is done.  Notes where the two threads are, for the report why they did not
 * meet.
 */
static void look_round(void)
{
	struct board *b = omen.board;

	for (int i = 0; i < 2 && b->nturns >= LAST_TURNS; i++)
		b->meeting[i] = whereabouts(&TURNS[b->nturns - LAST_TURNS + (uint64_t)i]);
}

static struct fiber *run(enum point_kind kind)
{
	struct board *b = omen.board;

	for (; b->turns_made < b->nturns; b->turns_made++) {
		if (b->turns_made + 2 == b->nturns && !b->meeting[0])
			look_round();
		const struct board_turn *t = &TURNS[b->turns_made];
		struct fiber *f = strategy_runnable(t->thread);
		if (!f && !t->waits)
			f = strategy_let_time_pass(t->thread);
		if (f && f->ops < t->until) {
			f->ops_until = t->until;
			omen.interest = UINT64_MAX;
			return f;
		}
	}
	omen.interest = UINT64_MAX;
	return strategy_fair.run(kind);
}

/* Wakes the waiter that has the next turn. */
static struct fiber *wake(struct fiber **waiters, uint32_t n)
{
	const struct board *b = omen.board;

	for (uint64_t i = b->turns_made; i < b->nturns; i++)
		for (uint32_t k = 0; k < n; k++)
			if (waiters[k]->id == TURNS[i].thread)
				return waiters[k];
	return waiters[0];
}

const struct strategy strategy_meet = {"meet", start, run, wake, strategy_pick_newest, NULL, TIME_WAITS};
