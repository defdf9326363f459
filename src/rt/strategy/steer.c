#include "rt/core/op.h"
#include "rt/strategy/steer.h"

#include "rt/fibers/point_density.h"
#include "rt/observe/compare_orders.h"
#include "rt/kernel/kernel.h"
#include "rt/world/world.h"
#include "rt/observe/timeline_record.h"
#include "rt/fibers/fiber.h"
#include "rt/fibers/endless_loop.h"
#include "rt/fibers/sched.h"
#include "rt/snapshot/snapshot.h"
#include "rt/fibers/state_hash.h"
#include "rt/strategy/keep_order.h"
#include "rt/strategy/strategies.h"
#include "rt/shadow/watch.h"

#define LOOP_TURN    200 /* back-edges */
#define ENOUGH_LOOKS 64
#define ROUNDS       16
#define YIELDS       1000

enum phase {
	BEFORE,        /* the stop was not reached yet, or the execution goes on as recorded */
	AT_STOP,       /* the first thread is about to make its access */
	FIRST_GOES,    /* it makes it, and is held then */
	WAITS,         /* for the second thread's access; the first one is held, if that is possible */
	SECOND_MADE,   /* it is about to make it: at its next point it will have */
	FIRST_FOLLOWS, /* the first thread makes its own behind it */
	FOLLOWS        /* steps: the first thread has not made its access yet */
};

/* PLAN_PASSED, where the other thread reads in a loop: it alone goes on, */
enum passed {
	BEHIND,    /* behind a write that may be what it waits for; */
	OTHERS_GO, /* it does not run, as it still waits: until somebody is about to access these bytes again; */
	STILL      /* before that access: it must wait on */
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
	enum passed passed;
	uint32_t rounds;        /* PLAN_PASSED: writes that the other thread went on waiting behind */
	uint64_t memory;        /* its hash, when that thread had read what was written; 0: not known */
	uint64_t since;         /* points, at the stop */
	uint64_t yields;        /* of the second thread, far ahead */
	uint64_t budget, turns; /* points, and those of them that cost more: see struct board_plan */
} state;

/* ---- holding ---- */

void direct_hold(void)
{
	struct fiber *f = omen.current;

	state.held = f;
	mode_set(HOLD, true);
	f->since = omen.points;
	f->wait = (struct wait){.kind = WAIT_KEY, .key = &state, .deadline = NEVER, .uninterruptible = true};
	fiber_not_runnable(f, FIBER_BLOCKED);
	sched_record(CHOICE_HOLD, f->id, false);
	calm_turn();
	while (!omen.nrunnable)
		kernel_idle();
}

void direct_release(void)
{
	struct fiber *f = state.held;

	if (!f)
		return;
	state.held = NULL;
	mode_set(HOLD, false);
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
	mode_set(STEER, false);
	mode_set(ASK_ALWAYS, false);
	mode_set(PATIENT, false);
	compare_end();
	mode_set(COUNT_TOUCHES, mode_is(KEEP_ORDER));
	if (p->looks)
		mode_threads_changed();
	else
		mode_past_race();
	sched_depart(&p->onward);
}

static void pass_time(uint64_t nanoseconds)
{
	if (state.held)
		omen.board->plan.slept += nanoseconds;
}

/* The thread that is to make the second access, or NULL: it has ended. */
static const struct fiber *other_thread(void)
{
	for (uint32_t i = 0; i < omen.nlive; i++)
		if (omen.live[i]->id == omen.board->plan.fiber)
			return omen.live[i];
	return NULL;
}

static bool is_passed(void) { return state.phase == WAITS && omen.board->plan.order == PLAN_PASSED; }

static enum plan_outcome passed_blocked(const struct fiber *other);

static bool give_up(enum plan_outcome why)
{
	const struct fiber *other = other_thread();

	if (!state.held && !is_passed())
		return false;
	if (state.phase == BEFORE || state.phase == FOLLOWS) { /* a replay of all this, or nearly */
		direct_release();
		return true;
	}
	if (state.phase == SECOND_MADE) /* within the function that makes the access, or with nothing behind it */
		why = PLAN_DONE;
	else if (why == PLAN_BLOCKED && !other)
		why = PLAN_ENDED;
	if (is_passed())
		why = passed_blocked(other);
	go_free(why); /* a replay comes to this by itself */
	return true;
}

static bool repeats(uint64_t touches)
{
	omen.board->plan.touched -= touches;
	return give_up(PLAN_SPINS);
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
	mode_set(DEPARTED, true);
	mode_set(ASK_ALWAYS, true);
	omen.race = (struct board_watch){.address = state.where->address, .bytes = state.where->bytes};
	calm_later();
	mode_set(PATIENT, p->order == PLAN_PASSED); /* where others take turns it is not seen who has changed what */
	if (p->order == PLAN_REPLAY) {              /* the schedule has it all */
		timeline_depart();
		mode_set(COUNT_TOUCHES, mode_is(TIMELINE));
	} else if (p->order == PLAN_FOLLOW) {
		state.phase = FOLLOWS;
		sched_depart(&p->onward);
	} else {
		state.phase = AT_STOP;
		mode_set(STEER, true);
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
		mode_set(PAST_RACE, true); /* as good as: nobody asks for other races */
	mode_threads_changed();
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

/* PLAN_PASSED: the other thread is about to read what was written; what it changes from here on shows that it does not
 * wait any more. */
static void passed_look(void)
{
	if (omen.board->plan.touched++ == 0)
		state.memory = state_find_memory_but(omen.current) ? state_memory() : 0;
}

static void touched(struct watched *w, uint32_t bytes, uint32_t flags, const struct omen_site *site)
{
	struct board_plan *p = &omen.board->plan;

	w->touches++;
	if (unlikely(mode_is(KEEP_ORDER)))
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
		if (p->order == PLAN_PASSED) {
			if (omen.current->id == p->fiber)
				passed_look();
			return;
		}
		p->touched++;
		if (p->order == PLAN_PROBE)
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

static void touch_late(uint64_t address, uint64_t most, const struct omen_site *site)
{
	uint64_t number = watch_late(site);

	for (struct watched *w = watch_first(address, most); w && mode_is(COUNT_TOUCHES) && !state.departed;
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

static void touch(uint64_t address, uint64_t size, uint32_t flags, const struct omen_site *site)
{
	uint32_t all = 0;

	for (struct watched *w = watch_first(address, size); w && mode_is(COUNT_TOUCHES);
	     w = watch_next(w, address, size)) {
		uint32_t bytes = watch_bytes(w, address, size);
		all |= bytes;
		if (bytes)
			touched(w, bytes, flags, site);
	}
	if (all && unlikely(omen.board->config.events_late)) /* now, if others have gone first */
		OP(TOUCHED, .object = (const void *)address, .size = size, .flags = flags, .site = site);
}

static bool is_used_up(void) { return omen.points + omen.unseen >= state.budget || omen.turns >= state.turns; }

/* ---- PLAN_PASSED: does the other thread wait for what is written? ---- */

/* Where memory cannot be compared, it has changed nothing as far as is known. */
static bool passed_acted(void) { return state.memory && state_memory() != state.memory; }

/*
 * It does not go on.  A lock is nothing to wait for behind a loop: it may be one of each round, and the held thread has
 * it.
 */
static enum plan_outcome passed_blocked(const struct fiber *other)
{
	if (state.passed != BEHIND)
		return PLAN_SPINS;
	if (!other)
		return PLAN_ENDED;
	return other->object_kind == OBJECT_MUTEX || other->object_kind == OBJECT_RWLOCK ||
	                       other->object_kind == OBJECT_SPINLOCK
	               ? PLAN_SPINS
	               : PLAN_BLOCKED;
}

static struct fiber *passed_over(enum plan_outcome outcome, enum point_kind kind)
{
	go_free(outcome);
	sched_record(CHOICE_RELEASE, 0, false);
	return omen.strategy->run(kind);
}

/* The other thread alone, as soon as it can: it has slept, if that is what it waits for. */
static struct fiber *passed_alone(const struct fiber *other, enum point_kind kind)
{
	while (other && other->state != FIBER_RUNNABLE && other->wait.deadline != NEVER && sched_jump())
		;
	if (!other || other->state != FIBER_RUNNABLE)
		return passed_over(passed_blocked(other), kind);
	omen.interest = UINT64_MAX; /* it goes on until it waits: nobody need be asked before */
	return omen.runnable[other->run_index];
}

/* Who stands before an access to these bytes is held there, and the other thread must still wait. */
static struct fiber *passed_others(const struct fiber *other, enum point_kind kind)
{
	const struct fiber *me = omen.current;

	if (kind == POINT_ACCESS && me != other && watch_first(me->about, 1) == state.where) {
		state.first = omen.current;
		state.made[0] = omen.where;
		state.called[0] = false;
		state.passed = STILL;
		omen.board->plan.touched = 0;
		direct_hold();
		return passed_alone(other, kind);
	}
	if (kind != POINT_YIELD && kind != POINT_BLOCKED && me != other)
		return omen.current;
	struct fiber *next = strategy_next_but(other);
	while (!next && sched_jump())
		next = strategy_next_but(other);
	return next ? next : passed_over(PLAN_SPINS, kind);
}

/* The other thread has read often enough: behind the write, or before the next one. */
static struct fiber *passed_looked(const struct fiber *other, enum point_kind kind)
{
	bool acted = passed_acted();

	if (acted || (state.passed == BEHIND && ++state.rounds == ROUNDS))
		return passed_over(acted && state.passed == BEHIND ? PLAN_DONE : PLAN_SPINS, kind);
	direct_release();
	sched_record(CHOICE_RELEASE, 0, false);
	omen.board->plan.touched = 0;
	if (state.passed == STILL) {
		state.passed = BEHIND;
		state.phase = FIRST_GOES;
		return state.first;
	}
	state.passed = OTHERS_GO;
	return passed_others(other, kind);
}

static struct fiber *passed_choose(enum point_kind kind)
{
	const struct fiber *other = other_thread();

	if (is_used_up()) {
		bool went_on = state.passed == BEHIND && (omen.board->plan.touched < 2 || passed_acted());
		return passed_over(went_on ? PLAN_BUDGET : PLAN_SPINS, kind);
	}
	if (state.passed == OTHERS_GO)
		return passed_others(other, kind);
	return omen.board->plan.touched < ENOUGH_LOOKS ? passed_alone(other, kind) : passed_looked(other, kind);
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
	bool by_chance = p->onward.id == STRATEGY_RANDOM || p->onward.id == STRATEGY_RACY;
	if (by_chance) {
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
	if (!by_chance) /* it goes on until it waits: nobody need be asked before */
		omen.interest = UINT64_MAX;
	return wanted;
}

static struct fiber *hold_and_pick(enum point_kind kind)
{
	state.phase = WAITS;
	direct_hold();
	return is_passed() ? passed_choose(kind) : pick_other(kind);
}

/* Calmly the first thread goes on; where chance decides, either may, as both stand before something. */
static struct fiber *after_both(void)
{
	uint32_t how = omen.board->plan.onward.id;
	bool can = state.first->state == FIBER_RUNNABLE;

	if (how == STRATEGY_FAIR && can)
		return state.first;
	if (can && how != STRATEGY_KEEP && strategy_random_below(2))
		return state.first;
	return omen.strategy->run(omen.current->state == FIBER_RUNNABLE ? POINT_SYNC : POINT_BLOCKED);
}

static struct fiber *both_made(void)
{
	struct board_plan *p = &omen.board->plan;

	if (p->compare && state.noted == 2)
		p->state = compare_state(&p->world);
	go_free(state.missed ? PLAN_NONE : PLAN_DONE);
	return after_both();
}

/* The running fiber is past its access, at its next point: for the comparison of states. */
static void note(enum point_kind kind)
{
	if (kind != POINT_BLOCKED && omen.board->plan.compare) {
		compare_here();
		state.noted++;
	}
}

/* Who waits for a while and then gives up is to give up; who waits for the one that is held waits for ever. */
static bool lingers_on(enum point_kind kind) { return kind != POINT_YIELD || ++state.yields <= YIELDS; }

static struct fiber *run(enum point_kind kind)
{
	const struct board_plan *p = &omen.board->plan;
	struct fiber *first = state.first;

	omen.interest = 0;
	switch (state.phase) {
	case AT_STOP:
		if (p->order == PLAN_FIRST &&
		    p->keeps) { /* nobody need be held for it, and between the two others may come */
			go_free(PLAN_DONE);
			return omen.current;
		}
		if (p->order != PLAN_FIRST && p->order != PLAN_PASSED)
			return hold_and_pick(kind);
		state.phase = FIRST_GOES;
		return omen.current;
	case FIRST_GOES:
		if (omen.current == first && !is_past(0, kind))
			return omen.current;
		if (omen.current == first && kind != POINT_BLOCKED) {
			note(kind);
			return hold_and_pick(kind);
		}
		state.phase = WAITS; /* it cannot be held where it waits already */
		return is_passed() ? passed_choose(kind) : pick_other(kind);
	case SECOND_MADE:
		if (omen.current->state == FIBER_RUNNABLE &&
		    (!is_past(1, kind) || (p->lingers && lingers_on(kind) && !is_used_up())))
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
		if (is_passed())
			return passed_choose(kind);
		if (state.phase == WAITS && state.held && is_used_up()) {
			go_free(PLAN_BUDGET);
			sched_record(CHOICE_RELEASE, 0, false);
			return omen.strategy->run(kind);
		}
		return pick_other(kind);
	}
}

static void start(void) {}

const struct strategy strategy_direct = {"direct", start,     run, strategy_wake_oldest, strategy_pick_newest,
                                         NULL,     TIME_WAITS};

/* ---- the observer ---- */

static uint64_t hear(const struct op *op)
{
	uint64_t address = (uint64_t)op->object;
	bool counts = mode_is(COUNT_TOUCHES);

	switch (op->kind) {
	case OP_KIND_ACCESS: /* those of atomics are told before they are made */
		if (counts && !(op->flags & ACCESS_ATOMIC))
			touch(address, op->size, op->flags, op->site);
		return 0;
	case OP_KIND_OBJECT_ACCESS:
		if (counts)
			touch(address, op->size, op->flags, NULL);
		return 0;
	case OP_KIND_ATOMIC_AHEAD:
		if (counts && (mode_is(DETECT) || mode_is(PAST_RACE)) && !omen.off)
			touch(address, op->size, op->flags, op->site);
		return 0;
	case OP_KIND_LATE_ACCESS:
		if (counts)
			touch_late(address, op->size, op->site);
		return 0;
	case OP_KIND_STUCK:
		return give_up(PLAN_BLOCKED);
	case OP_KIND_TIME_PASSES:
		pass_time(op->value);
		return 0;
	case OP_KIND_GOES_ALONE:
		return is_passed();
	case OP_KIND_REPEATS:
		return repeats(op->value);
	default:
		return 0;
	}
}

const struct observer steer_observer = {"steer", MODE(COUNT_TOUCHES) | MODE(STEER) | MODE(HOLD), hear};
