/*
 * Keep: as random, but accesses to the bytes of all races keep the order that they have in the execution which this one
 * has left (board.touches).  A fiber before an access whose turn has not come does not run, as long as another one can.
 * So what fails here fails without any race in another order.
 *
 * Some accesses cannot be delayed (those of atomics, of frees, and of the thread that a race is tried with).  So each
 * access is checked when it is made, and if it is out of order the plan says so: `out_of_order`.  Two accesses that do
 * not conflict have no order.
 */
#include "rt/strategy/keep_order.h"

#include "rt/strategy/strategies.h"
#include "rt/shadow/watch.h"

static struct {
	uint8_t made[BOARD_TOUCHES];   /* the access was made, here or before the execution began */
	uint8_t exempt[BOARD_TOUCHES]; /* the order of this access is turned round */
	uint32_t count;
	uint64_t mean, next; /* points between two switches, and the point of the next one */
} state;

/* ---- the order ---- */

static const struct board_touch *entry(uint32_t i) { return &omen.board->touches[i]; }

static bool conflict(uint32_t i, uint32_t k)
{
	const struct board_touch *a = entry(i), *b = entry(k);

	return a->address == b->address && a->fiber != b->fiber && (a->bytes & b->bytes) &&
	       ((a->flags | b->flags) & ACCESS_WRITE);
}

/* The next access of a fiber to these bytes, or `count`. */
static uint32_t next_of(uint32_t fiber, uint64_t address)
{
	uint32_t i = 0;

	while (i < state.count && (state.made[i] || entry(i)->fiber != fiber || entry(i)->address != address))
		i++;
	return i;
}

static bool is_early(uint32_t i)
{
	for (uint32_t k = 0; k < i && !state.exempt[i]; k++)
		if (!state.made[k] && !state.exempt[k] && conflict(k, i))
			return true;
	return false;
}

/* The bytes of the touch that `w` stands at.  The other ones of the 8 bytes may belong to another race. */
static uint32_t bytes_at(const struct watched *w)
{
	uint64_t number = 0;

	for (uint32_t i = 0; i < state.count; i++)
		if (entry(i)->address == w->address && ++number == w->touches)
			return entry(i)->bytes;
	return 0xff;
}

static bool is_exempt(const struct watched *w, uint64_t number, uint32_t fiber)
{
	const struct board_plan *p = &omen.board->plan;

	if (p->order != PLAN_SECOND || (fiber != p->fiber && fiber != omen.current->id))
		return false;
	return p->alone ? number == w->touches || number == p->last : number >= w->touches && number <= p->last;
}

void keep_begin(const struct watched *where)
{
	const struct board *b = omen.board;

	mode_set(KEEP_ORDER, true);
	state.count = b->ntouches < BOARD_TOUCHES ? b->ntouches : BOARD_TOUCHES;
	uint32_t bytes = where ? bytes_at(where) : 0;
	for (const struct watched *w = watch_from(0); w < watch_end(); w++) {
		uint64_t number = 0;
		for (uint32_t i = 0; i < state.count; i++) {
			if (entry(i)->address != w->address)
				continue;
			number++;
			state.made[i] = number <= w->touches;
			state.exempt[i] =
			        w == where && (entry(i)->bytes & bytes) && is_exempt(w, number, entry(i)->fiber);
		}
	}
}

/* The same read once more, with nothing written since: it tells nothing new. */
static bool is_repeated(const struct watched *w, uint32_t flags, const struct omen_site *site)
{
	uint32_t last = state.count;

	for (uint32_t i = 0; i < state.count; i++)
		if (state.made[i] && entry(i)->address == w->address && entry(i)->fiber == omen.current->id)
			last = i;
	return last < state.count && !(flags & ACCESS_WRITE) && entry(last)->site == (uint64_t)site;
}

void keep_touched(const struct watched *w, uint32_t flags, const struct omen_site *site)
{
	uint32_t i = next_of(omen.current->id, w->address);
	bool known = i < state.count && entry(i)->site == (uint64_t)site &&
	             !((entry(i)->flags ^ flags) & (ACCESS_WRITE | ACCESS_FREE));

	omen.current->about = 0;
	if (!known && is_repeated(w, flags, site))
		return;
	if (i == state.count && omen.board->plan.alone) /* the primary has ended before this access */
		return;
	if (!known || is_early(i))
		omen.board->plan.out_of_order = true;
	if (known)
		state.made[i] = true;
}

/* ---- the strategy ---- */

static bool waits(const struct fiber *f)
{
	const struct watched *w = f->about ? watch_first(f->about, 1) : NULL;
	uint32_t i = w ? next_of(f->id, w->address) : state.count;

	return i < state.count && is_early(i);
}

static void start(void)
{
	if (!mode_is(KEEP_ORDER))
		keep_begin(NULL);
	strategy_seed();
	state.mean = 2u << strategy_random_below(8);
	state.next = omen.points + 1 + strategy_random_below(2 * state.mean);
	omen.interest = 0;
}

static struct fiber *run(enum point_kind kind)
{
	struct fiber *can[MAX_FIBERS];
	uint32_t n = 0;

	omen.interest = 0;
	if (kind == POINT_ACCESS && omen.points < state.next && !waits(omen.current))
		return omen.current;
	state.next = omen.points + 1 + strategy_random_below(2 * state.mean);
	for (uint32_t i = 0; i < omen.nrunnable; i++)
		if (!waits(omen.runnable[i]))
			can[n++] = omen.runnable[i];
	return n ? can[strategy_random_below(n)] : omen.runnable[strategy_random_below(omen.nrunnable)];
}

const struct strategy strategy_keep = {"keep", start, run, strategy_wake_any, strategy_pick_any, NULL, TIME_WAITS};
