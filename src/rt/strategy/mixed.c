/*
 * Mixed: executions choose in different ways, by their seed, because no single way finds all bugs well.
 *
 * - As random does: some bugs need many switches, at the right places.
 * - As pct does, with a depth of its own: some need a thread to be very late, and few switches besides.
 * - In strides: how often the running fiber is switched away from is drawn separately for synchronisation and for plain
 *   accesses.  A fiber that was switched away from, or is new, may be held back: for a number of points, or until no
 *   other fiber can run.  So some threads are late and the others still take turns, which neither of the other two ways
 *   does.
 *
 * The share of each way comes from bench/bugs: a bug that one way finds best must take at most twice as many
 * executions.
 */
#include "rt/strategy/strategies.h"

#define SYNC_STRIDES   4    /* powers of 2: 4 to 32 points between two switches, on average, */
#define ACCESS_STRIDES 7    /* and at plain accesses 2 to 128 */
#define MOST_DELAY     12   /* and for how many points a fiber is held back */
#define LONG           1024 /* a longer execution has tries that change only its beginning */
#define SHORT          4096 /* switches: as in random.c */
#define PATIENCE       4096 /* choices; then all fibers are released, because others may spin until they run */

enum way { RANDOM, PCT, STRIDES };

static struct {
	enum way way;
	uint64_t stride[2]; /* at synchronisation, at plain accesses */
	uint64_t delays;    /* one of so many switched-away fibers is held back; 0: none */
	uint32_t longest;   /* and for up to so many points, as a power of 2 */
	uint64_t next;      /* the point of the next switch at a plain access, */
	uint64_t cuts;      /* and how many there were */
	uint32_t choices;   /* since all fibers were released */
} state;

/*
 * Priority changes are anywhere in the execution.  Sometimes they are only near the beginning of a long one, where much
 * of it is decided.
 */
static uint64_t draw_length(void)
{
	const struct strategy_config *c = &omen.board->config.strategy;
	uint64_t length = c->length ? c->length : 1000;

	if (length < LONG || strategy_random_below(8))
		return length;
	return length >> strategy_random_below(8);
}

static void begin_pct(void)
{
	static const uint8_t depths[] = {2, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 4, 4, 5, 8};

	pct_begin(depths[strategy_random_below(sizeof(depths))], draw_length());
}

/* The mean distance grows with the number of switches, as in random.c: a long execution would do nothing but switch. */
static void cut_later(void)
{
	uint64_t mean = state.stride[1] * (1 + state.cuts++ / SHORT);

	state.next = omen.points + 1 + strategy_random_below(2 * mean);
}

static void begin_strides(void)
{
	state.stride[0] = 4ul << strategy_random_below(SYNC_STRIDES);
	state.stride[1] = 2ul << strategy_random_below(ACCESS_STRIDES);
	state.delays = strategy_random_below(2) ? 1ul << strategy_random_below(4) : 0;
	state.longest = 1 + (uint32_t)strategy_random_below(MOST_DELAY);
	for (uint32_t i = 0; i < omen.nlive; i++)
		omen.live[i]->priority = 1; /* not new */
	state.cuts = 0;
	state.choices = 0;
	cut_later();
	omen.interest = state.next;
}

/* Consecutive seeds take different ways, so that even a few executions have some of each. */
static enum way way_of(uint64_t seed)
{
	static const uint8_t turns[] = {RANDOM, RANDOM, PCT,     STRIDES, PCT,    RANDOM, PCT, PCT,
	                                RANDOM, PCT,    STRIDES, PCT,     RANDOM, PCT,    PCT, STRIDES};

	return turns[(seed - 1) % sizeof(turns)];
}

static void start(void)
{
	strategy_seed();
	state.way = way_of(omen.board->result.seed);
	if (state.way == RANDOM)
		random_begin();
	else if (state.way == PCT)
		begin_pct();
	else
		begin_strides();
}

/* A fiber's `priority` is the point up to which it is held back; 0: it is new. */
static void hold_back(struct fiber *f)
{
	f->priority = 1;
	if (!state.delays || strategy_random_below(state.delays))
		return;
	f->priority = strategy_random_below(4) ? omen.points + (1ul << strategy_random_below(state.longest)) +
	                                                 strategy_random_below(1ul << state.longest)
	                                       : UINT64_MAX;
}

static void let_all_go(void)
{
	for (uint32_t i = 0; i < omen.nlive; i++)
		omen.live[i]->priority = 1;
	state.choices = 0;
}

/* Any fiber that is not held back; if there is none, the one that is held back for the shortest time. */
static struct fiber *any(void)
{
	static struct fiber *can[MAX_FIBERS];
	struct fiber *first = NULL;
	uint32_t n = 0;

	for (uint32_t i = 0; i < omen.nrunnable; i++) {
		struct fiber *f = omen.runnable[i];
		if (!f->priority)
			hold_back(f);
		if (f->priority <= omen.points)
			can[n++] = f;
		if (!first || f->priority < first->priority)
			first = f;
	}
	if (!n)
		first->priority = 1;
	return n ? can[strategy_random_below(n)] : first;
}

static struct fiber *stride(enum point_kind kind)
{
	if (kind == POINT_ACCESS || omen.points >= state.next)
		cut_later();
	omen.interest = state.next;
	if (kind == POINT_SYNC && strategy_random_below(state.stride[0]))
		return omen.current;
	if (kind != POINT_BLOCKED)
		hold_back(omen.current);
	if (++state.choices == PATIENCE)
		let_all_go();
	return any();
}

static struct fiber *run(enum point_kind kind)
{
	return state.way == RANDOM ? strategy_random.run(kind)
	       : state.way == PCT  ? strategy_pct.run(kind)
	                           : stride(kind);
}

const struct strategy strategy_mixed = {"mixed", start, run, strategy_wake_any, strategy_pick_any, NULL, TIME_JUMPS};
