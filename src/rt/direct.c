#include "rt/direct.h"

#include "rt/calm.h"
#include "rt/compare.h"
#include "rt/env/env.h"
#include "rt/env/world.h"
#include "rt/events.h"
#include "rt/fiber.h"
#include "rt/init.h"
#include "rt/loop.h"
#include "rt/sched.h"
#include "rt/snapshot.h"
#include "rt/state.h"
#include "rt/strategy/keep.h"
#include "rt/strategy/strategies.h"
#include "rt/watch.h"

#define LOOP_TURN    200 /* back-edges */
#define ENOUGH_LOOKS 64

enum phase {
	BEFORE,        /* the stop was not reached yet, or the execution goes on as recorded */
	AT_STOP,       /* the first thread is about to make its access */
	FIRST_GOES,    /* it makes it, and is held then */
	WAITS,         /* for the second thread's access; the first one is held, if that is possible */
	SECOND_MADE,   /* it is about to make it: at its next point it will have */
	FIRST_FOLLOWS, /* the first thread makes its own behind it */
	FOLLOWS        /* steps: the first thread has not made its access yet */
};

static struct {
	enum phase phase;
	struct fiber *held;
	struct fiber *first;
	uint32_t first_flags, first_bytes;
	uint64_t made[2];            /* where the two accesses are, as in omen.where, */
	bool called[2];              /* and whether a library function makes them */
	const struct watched *where; /* of the race */
	bool missed;                 /* the first is told when it is over, and was not yet */
	uint32_t noted;              /* of the two threads, past their accesses */
	bool departed;
	uint64_t memory;        /* PLAN_PASSED: its hash, behind the access at the stop; 0: not known */
	uint64_t since;         /* points, at the stop */
	uint64_t budget, turns; /* points, and those of them that cost more: see struct board_plan */
} state;

/* ---- holding ---- */

void direct_hold(void)
{
	struct fiber *f = omen.current;

	state.held = f;
	f->since = omen.points;
	f->wait = (struct wait){.kind = WAIT_KEY, .key = &state, .deadline = NEVER, .uninterruptible = true};
	fiber_not_runnable(f, FIBER_BLOCKED);
	sched_record(CHOICE_HOLD, f->id, false);
	calm_turn();
	while (!omen.nrunnable)
		env_idle();
}

void direct_release(void)
{
	struct fiber *f = state.held;

	if (!f)
		return;
	state.held = NULL;
	calm_turn();
	sched_unblock(f, WAIT_WOKEN);
	f->wait = (struct wait){.deadline = NEVER};
}

/* From here on the plan's own strategy chooses. */
static void go_free(enum plan_outcome outcome)
{
	struct board_plan *p = &omen.board->plan;

	direct_release();
	state.phase = BEFORE;
	p->outcome = outcome;
	omen.directed = false;
	compare_end();
	omen.touching = omen.keeping;
	if (p->looks)
		omen_threads_changed();
	else
		omen_past_race();
	sched_depart(&p->onward);
}

void direct_time_passes(int64_t nanoseconds)
{
	if (state.held && nanoseconds > 0)
		omen.board->plan.slept += (uint64_t)nanoseconds;
}

static bool is_live(uint32_t id)
{
	for (uint32_t i = 0; i < omen.nlive; i++)
		if (omen.live[i]->id == id)
			return true;
	return false;
}

bool direct_give_up(enum plan_outcome why)
{
	struct board_plan *p = &omen.board->plan;

	if (!state.held)
		return false;
	if (state.phase == BEFORE || state.phase == FOLLOWS) { /* a replay of all this, or nearly */
		direct_release();
		return true;
	}
	if (state.phase == SECOND_MADE) /* within the function that makes the access, or with nothing behind it */
		why = PLAN_DONE;
	else if (why == PLAN_BLOCKED && !is_live(p->fiber))
		why = PLAN_ENDED;
	go_free(why); /* a replay comes to this by itself */
	return true;
}

uint64_t direct_touches(void) { return omen.board->plan.touched; }

/* Since the access at the stop was made nothing was written, as far as is known. */
static bool nobody_wrote(void) { return !state.memory || state_memory() == state.memory; }

bool direct_repeats(uint64_t touches)
{
	struct board_plan *p = &omen.board->plan;

	p->touched -= touches;
	return direct_give_up(p->order == PLAN_PASSED && !nobody_wrote() ? PLAN_DONE : PLAN_SPINS);
}

/* ---- the two accesses ---- */

static bool conflicts(uint32_t flags, uint32_t bytes)
{
	return (bytes & state.first_bytes) && ((flags | state.first_flags) & ACCESS_WRITE) &&
	       !(flags & state.first_flags & ACCESS_ATOMIC);
}

/* The execution leaves the recording here: before the access, as if it were a point. */
static void begin(uint64_t where)
{
	const struct board_plan *p = &omen.board->plan;

	state.departed = true;
	/* who spins is to be seen spinning soon */
	omen.loop_budget = LOOP_TURN;
	omen.most_stretch = omen.stretch = 0;
	omen.fine = omen.directed = true;
	omen.race = (struct board_watch){.address = state.where->address, .bytes = state.where->bytes};
	calm_later();
	omen.patient = false;
	if (p->order == PLAN_REPLAY) { /* the schedule has it all */
		events_depart();
		omen.touching = omen.eventful;
	} else if (p->order == PLAN_FOLLOW) {
		state.phase = FOLLOWS;
		sched_depart(&p->onward);
	} else {
		state.phase = AT_STOP;
		state.budget = omen.points + omen.unseen + p->budget;
		state.turns = omen.turns + p->turns;
		state.since = omen.points;
		omen.strategy = &strategy_direct;
		omen.interest = 0;
		omen.jump_at = UINT64_MAX;
		strategy_seed();
		if (p->compare)
			compare_begin();
	}
	if (p->keeps)
		keep_begin(state.where);
	if (p->order != PLAN_REPLAY && !p->looks)
		omen.past_race = true; /* as good as: nobody asks for other races */
	omen_threads_changed();
	omen.points++;
	sched_access(where);
}

static void note_place(int which, const struct omen_site *site)
{
	state.made[which] = site ? where_site(site) : 0;
	state.called[which] = !site || site->kind == OMEN_SITE_CALL || site->kind == OMEN_SITE_MEMCPY ||
	                      site->kind == OMEN_SITE_MEMMOVE;
}

/* The point under way is behind the access: not within the library function that makes it. */
static bool is_past(int which, enum point_kind kind)
{
	uint64_t pc = omen.where / 2;

	if (kind == POINT_BLOCKED || !state.called[which])
		return true;
	bool trap = (omen.where & 1) && pc >= omen.libc_low && pc < omen.libc_high;
	return !trap && omen.where != state.made[which];
}

/* It is the race's other access, by another thread. */
static bool is_other_access(uint32_t bytes, uint32_t flags, const struct omen_site *site)
{
	const struct board_plan *p = &omen.board->plan;

	return omen.current != state.first && (uint64_t)site == p->site &&
	       !((flags ^ p->flags) & (ACCESS_WRITE | ACCESS_FREE)) && conflicts(flags, bytes);
}

void direct_goes_on(const struct fiber *f)
{
	if (state.phase == FOLLOWS && f == state.first)
		state.phase = BEFORE;
}

static void touched(struct watched *w, uint32_t bytes, uint32_t flags, const struct omen_site *site)
{
	struct board_plan *p = &omen.board->plan;

	w->touches++;
	if (unlikely(omen.keeping))
		keep_touched(w, flags, site);
	if (state.phase == WAITS && state.held && w != state.where && !(flags & ACCESS_WRITE) &&
	    omen.current->id == p->fiber && w->writer == state.held->id + 1) {
		uint32_t bit = went_by_bit(w->address);
		p->went_by[bit / 64] |= 1ul << bit % 64;
	}
	if (flags & ACCESS_WRITE)
		w->writer = omen.current->id + 1;
	if (w == state.where && omen.current == state.first)
		state.missed = false;
	if (state.phase == FOLLOWS && w == state.where && is_other_access(bytes, flags, site))
		p->outcome = PLAN_DONE;
	omen.board->touch_order =
	        (omen.board->touch_order ^ w->address ^ (uint64_t)site << 20 ^ omen.current->id) * 0x9e3779b97f4a7c15u;
	if (state.phase == WAITS && w == state.where && is_other_access(bytes, flags, site)) {
		p->touched += p->order != PLAN_PASSED || omen.current->id == p->fiber;
		if (p->order == PLAN_PROBE || p->order == PLAN_PASSED)
			return;
		state.phase = SECOND_MADE;
		omen.interest = 0;
		p->outcome = PLAN_DONE; /* the access itself may be the end of it */
		note_place(1, site);
		loop_forget();
		return;
	}
	for (uint32_t i = 0; !state.departed && i < omen.board->nstops; i++) {
		const struct board_stop *s = &omen.board->stops[i];
		if (s->address != w->address || s->touch != w->touches || s->over)
			continue;
		state.first = omen.current;
		state.first_flags = flags;
		state.first_bytes = bytes;
		state.where = w;
		note_place(0, site);
		if (snapshot_at_stop(i))
			begin(where_site(site));
	}
}

void direct_touch_late(uint64_t address, uint64_t most, const struct omen_site *site)
{
	uint64_t number = watch_late(site);

	for (struct watched *w = watch_first(address, most); w && omen.touching && !state.departed;
	     w = watch_next(w, address, most))
		for (uint32_t i = 0; !state.departed && i < omen.board->nstops; i++) {
			const struct board_stop *s = &omen.board->stops[i];
			if (s->address != w->address || s->touch != number || s->over)
				continue;
			state.first = omen.current;
			state.first_flags = ACCESS_WRITE;
			state.first_bytes = watch_bytes(w, address, most);
			state.where = w;
			note_place(0, site);
			state.missed = snapshot_at_stop(i);
			if (state.missed)
				begin(where_site(site));
		}
}

void direct_touch(uint64_t address, uint64_t size, uint32_t flags, const struct omen_site *site)
{
	uint32_t all = 0;

	for (struct watched *w = watch_first(address, size); w && omen.touching; w = watch_next(w, address, size)) {
		uint32_t bytes = watch_bytes(w, address, size);
		all |= bytes;
		if (bytes)
			touched(w, bytes, flags, site);
	}
	if (all && unlikely(omen.board->config.events_late)) /* now, if others have gone first */
		events_touch(address, size, flags, site);
}

/* ---- the strategy ---- */

/* Whoever runs, runs; a fiber that stands back or blocks makes way for the next. */
static struct fiber *in_turn(enum point_kind kind)
{
	return kind == POINT_YIELD || omen.current->state != FIBER_RUNNABLE ? strategy_next_in_turn() : omen.current;
}

static struct fiber *pick_other(enum point_kind kind)
{
	const struct board_plan *p = &omen.board->plan;

	if (state.phase == BEFORE) /* it was given up meanwhile */
		return omen.strategy->run(kind);
	if (p->onward.id == STRATEGY_RANDOM) {
		/* a long wait would be nothing but switches */
		omen.interest = omen.points + 1 + strategy_random_below(1 + (omen.points - state.since) / 64);
		if (strategy_random_below(4) == 0)
			return omen.runnable[strategy_random_below(omen.nrunnable)];
	}
	struct fiber *other = NULL, *wanted = NULL;
	for (uint32_t i = 0; i < omen.nrunnable; i++)
		if (omen.runnable[i]->id == p->fiber)
			wanted = omen.runnable[i];
		else if (!other || omen.runnable[i] == omen.current)
			other = omen.runnable[i];
	if (p->prepares && other && kind != POINT_YIELD)
		return other;
	if (!wanted || p->prepares)
		return in_turn(kind);
	if (p->onward.id != STRATEGY_RANDOM) /* it goes on until it waits: nobody need be asked before */
		omen.interest = UINT64_MAX;
	return wanted;
}

static struct fiber *hold_and_pick(enum point_kind kind)
{
	state.phase = WAITS;
	direct_hold();
	return pick_other(kind);
}

static struct fiber *both_made(void)
{
	struct board_plan *p = &omen.board->plan;

	if (p->compare && state.noted == 2)
		p->state = compare_state(&p->world);
	go_free(state.missed ? PLAN_NONE : PLAN_DONE);
	return state.first->state == FIBER_RUNNABLE ? state.first : omen.strategy->run(POINT_BLOCKED);
}

/* The running fiber is past its access, at its next point: for the comparison of states. */
static void note(enum point_kind kind)
{
	if (kind != POINT_BLOCKED && omen.board->plan.compare) {
		compare_here();
		state.noted++;
	}
}

/*
 * The write was made, and who reads it has read it often since and changed nothing: it still waits.  Where memory cannot
 * be compared, that is assumed.
 */
static bool waits_on(void)
{
	const struct board_plan *p = &omen.board->plan;

	return state.phase == WAITS && p->order == PLAN_PASSED && p->touched >= ENOUGH_LOOKS && nobody_wrote();
}

static bool is_used_up(void) { return omen.points + omen.unseen >= state.budget || omen.turns >= state.turns; }

static struct fiber *run(enum point_kind kind)
{
	const struct board_plan *p = &omen.board->plan;
	struct fiber *first = state.first;

	omen.interest = 0;
	switch (state.phase) {
	case AT_STOP:
		if (p->order != PLAN_FIRST && p->order != PLAN_PASSED)
			return hold_and_pick(kind);
		state.phase = FIRST_GOES;
		return omen.current;
	case FIRST_GOES:
		if (omen.current == first && !is_past(0, kind))
			return omen.current;
		if (omen.current == first && kind != POINT_BLOCKED) {
			note(kind);
			state.memory = p->order == PLAN_PASSED && state_find_memory() ? state_memory() : 0;
			return hold_and_pick(kind);
		}
		state.phase = WAITS; /* it cannot be held where it waits already */
		return pick_other(kind);
	case SECOND_MADE:
		if (omen.current->state == FIBER_RUNNABLE &&
		    (!is_past(1, kind) || (p->lingers && kind != POINT_YIELD && !is_used_up())))
			return omen.current;
		note(kind);
		if (state.held) {
			direct_release();
			sched_record(CHOICE_RELEASE, 0, false);
		}
		if (p->order == PLAN_FIRST)
			return both_made();
		state.phase = FIRST_FOLLOWS;
		return first;
	case FIRST_FOLLOWS:
		if (omen.current != first)
			return first->state == FIBER_RUNNABLE ? first : pick_other(kind);
		if (!is_past(0, kind))
			return first;
		note(kind);
		return both_made();
	default:
		if (waits_on()) {
			go_free(PLAN_SPINS);
			sched_record(CHOICE_RELEASE, 0, false);
			return omen.strategy->run(kind);
		}
		if (state.phase == WAITS && state.held && is_used_up()) {
			go_free(PLAN_BUDGET);
			sched_record(CHOICE_RELEASE, 0, false);
			return omen.strategy->run(kind);
		}
		return pick_other(kind);
	}
}

static void start(void) {}

const struct strategy strategy_direct = {"direct", start, run, strategy_wake_oldest, strategy_pick_newest, TIME_WAITS};
