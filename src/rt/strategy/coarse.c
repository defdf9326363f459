/*
 * Coarse: any runnable fiber, but only where threads synchronise, call the kernel or wait.  What stands between two
 * such points is never cut.  So executions differ only in which thread was faster, not in accesses that get between
 * each other.  How often the running fiber is switched away from is drawn for each execution: at all of its points, or
 * at few.
 *
 * Time does not wait until all other threads have nothing to do.  Whenever a thread has to wait, the next sleeper may
 * have slept enough.  And where the running fiber might be switched away from, it may also stand still for as long as
 * another one sleeps, if that is not longer than a processor may be away.  No schedule records this, so these
 * executions cannot be replayed; they are for comparison only.
 *
 * One thread may be preferred, for a while or to the end: then all others are as slow as they can be.  Chance alone
 * would hardly ever let one thread do all its work while another one does little.
 */
#include "rt/kernel/kernel.h"
#include "rt/strategy/strategies.h"

#define TURNS     12       /* powers of 2; in the longest turn a thread gets far ahead, however much it synchronises */
#define AWAY      1000000l /* ns that a processor may be away, and up to */
#define AWAY_MOST (256 * AWAY)

static uint64_t turn; /* points between two switches, on average */
static int64_t away;
static struct {
	uint32_t fiber;
	uint64_t until; /* a point */
} preferred;

static void start(void)
{
	const struct strategy_config *c = &omen.board->config.strategy;

	strategy_seed();
	preferred.fiber = c->depth - 1;
	preferred.until = !c->depth   ? 0
	                  : c->length ? omen.points + strategy_random_below(8u << strategy_random_below(TURNS))
	                              : UINT64_MAX;
	turn = 1ul << strategy_random_below(TURNS);
	away = AWAY << 2 * strategy_random_below(5);
	omen.interest = UINT64_MAX;
	mode_set(ASK_ALWAYS, true); /* a fiber that is alone may stand still, too */
}

static void let_time_pass(int64_t most)
{
	if (omen.next_deadline == NEVER || omen.next_deadline - omen.clock > most || strategy_random_below(2))
		return;
	if (omen.clock < omen.next_deadline)
		omen.clock = omen.next_deadline;
	kernel_fire_timers();
}

/* The preferred fiber, if it can run or only waits for time to pass.  NULL: it waits for others, or has ended. */
static struct fiber *find_preferred(void)
{
	struct fiber *f = NULL;

	for (uint32_t i = 0; i < omen.nlive; i++)
		if (omen.live[i]->id == preferred.fiber)
			f = omen.live[i];
	if (!f || f->state == FIBER_RUNNABLE)
		return f;
	return f->wait.deadline - omen.clock > AWAY_MOST ? NULL : strategy_let_time_pass(f->id);
}

static struct fiber *run(enum point_kind kind)
{
	struct fiber *f;

	omen.interest = UINT64_MAX;
	if (kind != POINT_ACCESS && omen.points < preferred.until && (f = find_preferred()))
		return f;
	if (kind == POINT_ACCESS || ((kind == POINT_SYNC || kind == POINT_STREAM) && strategy_random_below(turn)))
		return omen.current;
	let_time_pass(kind == POINT_BLOCKED ? NEVER : away);
	return omen.runnable[strategy_random_below(omen.nrunnable)];
}

const struct strategy strategy_coarse = {"coarse", start, run, strategy_wake_any, strategy_pick_any, NULL, TIME_WAITS};
