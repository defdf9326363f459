#include "rt/strategy/steer.h"

#include "rt/core/op.h"

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

#define LOOP_TURN    200  /* back-edges */
#define ENOUGH_LOOKS 64   /* PLAN_PASSED: reads of the other thread before it is judged whether it still waits */
#define ROUNDS       16   /* PLAN_PASSED: after this many writes the other thread counts as spinning */
#define YIELDS       1000 /* of the second thread while it runs on: board_plan.run_on */

enum phase {
	BEFORE,        /* the stop is not reached yet, the execution continues as recorded, or the plan is over */
	AT_STOP,       /* the first thread is about to make its access */
	FIRST_GOES,    /* the first thread makes its access, and is then held */
	WAITS,         /* for the second thread's access; the first thread is held, if that is possible */
	SECOND_MADE,   /* the second thread is about to make its access; at its next point it has made it */
	FIRST_FOLLOWS, /* then the first thread makes its own */
	FOLLOWS        /* PLAN_FOLLOW: the first thread has not made its access yet */
};

/* PLAN_PASSED, where the other thread reads in a loop: which threads run. */
enum passed {
	BEHIND,    /* only the other thread, after a write that it may wait for */
	OTHERS_GO, /* all but it, as it still waits, until a thread is about to access these bytes again */
	STILL      /* only it, before that access: it must still wait */
};

static struct {
	enum phase phase;
	struct fiber *held;
	struct fiber *first;
	uint32_t first_flags, first_bytes;
	uint64_t made[2];            /* the places of the two accesses, as in omen.where */
	bool called[2];              /* whether a library function makes them */
	const struct watched *where; /* the race's bytes */
	bool missed;                 /* the first access is reported only after it was made, and was not reported yet */
	uint32_t noted;              /* how many of the two threads were noted after their accesses */
	bool departed;
	enum passed passed;
	uint32_t rounds;        /* PLAN_PASSED: writes after which the other thread still waited */
	uint64_t memory;        /* its hash, when that thread read what was written; 0: unknown */
	uint64_t since;         /* the number of points at the stop */
	uint64_t yields;        /* of the second thread, while it runs on */
	uint64_t budget, turns; /* limits of points, and of points that cost more: struct board_plan */
} state;

/* ---- holding ---- */

void steer_hold(void)
{
	struct fiber *f = omen.current;

	state.held = f;
	mode_set(HOLD, true);
	f->since = omen.points;
	f->wait = (struct wait){.kind = WAIT_KEY, .key = &state, .deadline = NEVER, .uninterruptible = true};
	fiber_not_runnable(f, FIBER_BLOCKED);
	sched_record(CHOICE_HOLD, f->id, false);
	density_turn();
	while (!omen.nrunnable)
		kernel_idle();
}

void steer_release(void)
{
	struct fiber *f = state.held;

	if (!f)
		return;
	state.held = NULL;
	mode_set(HOLD, false);
	density_turn();
	sched_unblock(f, WAIT_WOKEN);
	f->wait = (struct wait){.deadline = NEVER};
}

/* From here on the plan's own strategy chooses. */
static void go_free(enum plan_outcome outcome)
{
	struct board_plan *p = &omen.board->plan;

	steer_release();
	state.phase = BEFORE;
	p->outcome = outcome;
	mode_set(STEER, false);
	mode_set(ASK_ALWAYS, false);
	mode_set(PATIENT, false);
	compare_end();
	mode_set(COUNT_TOUCHES, mode_is(KEEP_ORDER));
	if (p->detect_after)
		mode_threads_changed();
	else
		mode_past_race();
	sched_depart(&p->next_strategy);
}

static void pass_time(uint64_t nanoseconds)
{
	if (state.held)
		omen.board->plan.slept += nanoseconds;
}

/* The thread that must make the second access.  NULL: it has ended. */
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
	if (state.phase == BEFORE || state.phase == FOLLOWS) { /* a replay of such an execution, or of a part of it */
		steer_release();
		return true;
	}
	if (state.phase == SECOND_MADE) /* it is within the function that makes the access, or ends right after it */
		why = PLAN_DONE;
	else if (why == PLAN_BLOCKED && !other)
		why = PLAN_ENDED;
	if (is_passed())
		why = passed_blocked(other);
	go_free(why); /* the schedule need not say this: a replay does the same by itself */
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

/* The execution leaves the recording here, before the access, as if this were a point. */
static void begin(uint64_t where)
{
	const struct board_plan *p = &omen.board->plan;

	state.departed = true;
	/* a spinning thread must soon be seen to spin */
	omen.loop_budget = LOOP_TURN;
	omen.most_stretch = omen.stretch = 0;
	mode_set(DEPARTED, true);
	mode_set(ASK_ALWAYS, true);
	omen.race = (struct board_watch){.address = state.where->address, .bytes = state.where->bytes};
	density_start();
	/* in a loop proof fibers take turns, which hides who has changed what */
	mode_set(PATIENT, p->order == PLAN_PASSED);
	if (p->order == PLAN_REPLAY) { /* the schedule holds all choices */
		timeline_depart();
		mode_set(COUNT_TOUCHES, mode_is(TIMELINE));
	} else if (p->order == PLAN_FOLLOW) {
		state.phase = FOLLOWS;
		sched_depart(&p->next_strategy);
	} else {
		state.phase = AT_STOP;
		mode_set(STEER, true);
		state.budget = omen.points + omen.unseen + p->budget;
		state.turns = omen.turns + p->turns;
		state.since = omen.points;
		omen.strategy = &strategy_steer;
		omen.interest = 0;
		omen.jump_at = UINT64_MAX;
		strategy_seed();
		if (p->compare)
			compare_begin();
	}
	if (p->keep_order)
		keep_begin(state.where);
	if (p->order != PLAN_REPLAY && !p->detect_after)
		mode_set(PAST_RACE, true); /* not quite yet, but the plan does not look for other races */
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

/* Is the point under way after the access, and not within the library function that makes the access? */
static bool is_past(int which, enum point_kind kind)
{
	uint64_t pc = omen.where / 2;

	if (kind == POINT_BLOCKED || !state.called[which])
		return true;
	bool trap = (omen.where & 1) && pc >= omen.libc_low && pc < omen.libc_high;
	return !trap && omen.where != state.made[which];
}

/* Is it the race's other access, by another thread? */
static bool is_other_access(uint32_t bytes, uint32_t flags, const struct omen_site *site)
{
	const struct board_plan *p = &omen.board->plan;

	return omen.current != state.first && (uint64_t)site == p->site &&
	       !((flags ^ p->flags) & (ACCESS_WRITE | ACCESS_FREE)) && conflicts(flags, bytes);
}

void steer_goes_on(const struct fiber *f)
{
	if (state.phase == FOLLOWS && f == state.first)
		state.phase = BEFORE;
}

/*
 * PLAN_PASSED: the other thread is about to read what was written.  If it changes memory from here on, it does not wait
 * any more.
 */
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
		uint32_t bit = word_read_bit(w->address);
		p->words_read[bit / 64] |= 1ul << bit % 64;
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
		p->outcome = PLAN_DONE; /* the access itself may end the execution */
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
	/* if other threads went first at a stop, the access is made only now */
	if (all && unlikely(omen.board->config.events_late))
		OP(TOUCHED, .object = (const void *)address, .size = size, .flags = flags, .site = site);
}

static bool is_used_up(void) { return omen.points + omen.unseen >= state.budget || omen.turns >= state.turns; }

/* ---- PLAN_PASSED: does the other thread wait for what is written? ---- */

/* Has the other thread changed memory?  False if memory cannot be compared. */
static bool passed_acted(void) { return state.memory && state_memory() != state.memory; }

/*
 * The other thread cannot go on: what does that mean?  Blocking on a lock does not show that the thread left its loop:
 * each round may take the lock, and the held thread may have it.
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

/* Runs only the other thread, as soon as it can run: if it sleeps, time jumps. */
static struct fiber *passed_alone(const struct fiber *other, enum point_kind kind)
{
	while (other && other->state != FIBER_RUNNABLE && other->wait.deadline != NEVER && sched_jump())
		;
	if (!other || other->state != FIBER_RUNNABLE)
		return passed_over(passed_blocked(other), kind);
	omen.interest = UINT64_MAX; /* it continues until it waits: no choice before that */
	return omen.runnable[other->run_index];
}

/* Runs all but the other thread.  A thread that is about to access these bytes is held; the other must still wait. */
static struct fiber *passed_others(const struct fiber *other, enum point_kind kind)
{
	const struct fiber *me = omen.current;

	if (kind == POINT_ACCESS && me != other && watch_first(me->about, 1) == state.where) {
		state.first = omen.current;
		state.made[0] = omen.where;
		state.called[0] = false;
		state.passed = STILL;
		omen.board->plan.touched = 0;
		steer_hold();
		return passed_alone(other, kind);
	}
	if (kind != POINT_YIELD && kind != POINT_BLOCKED && me != other)
		return omen.current;
	struct fiber *next = strategy_next_but(other);
	while (!next && sched_jump())
		next = strategy_next_but(other);
	return next ? next : passed_over(PLAN_SPINS, kind);
}

/* The other thread has read often enough, after the write or before the next one. */
static struct fiber *passed_looked(const struct fiber *other, enum point_kind kind)
{
	bool acted = passed_acted();

	if (acted || (state.passed == BEHIND && ++state.rounds == ROUNDS))
		return passed_over(acted && state.passed == BEHIND ? PLAN_DONE : PLAN_SPINS, kind);
	steer_release();
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

/* The running fiber continues; if it yields or blocks, the next one runs. */
static struct fiber *in_turn(enum point_kind kind)
{
	return kind == POINT_YIELD || omen.current->state != FIBER_RUNNABLE ? strategy_next_in_turn() : omen.current;
}

static struct fiber *pick_other(enum point_kind kind)
{
	const struct board_plan *p = &omen.board->plan;

	if (state.phase == BEFORE) /* the plan was given up meanwhile */
		return omen.strategy->run(kind);
	bool by_chance = p->next_strategy.id == STRATEGY_RANDOM || p->next_strategy.id == STRATEGY_RACY;
	if (by_chance) {
		/* the longer the wait, the rarer the choices: otherwise it would consist of switches only */
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
	if (p->others_first && other && kind != POINT_YIELD)
		return other;
	if (!wanted || p->others_first)
		return in_turn(kind);
	if (!by_chance) /* it continues until it waits: no choice before that */
		omen.interest = UINT64_MAX;
	return wanted;
}

static struct fiber *hold_and_pick(enum point_kind kind)
{
	state.phase = WAITS;
	steer_hold();
	return is_passed() ? passed_choose(kind) : pick_other(kind);
}

/*
 * Both accesses are made.  With a fair strategy the first thread continues.  Where chance decides, either thread may:
 * both are about to do something.
 */
static struct fiber *after_both(void)
{
	uint32_t how = omen.board->plan.next_strategy.id;
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

/* The running fiber has made its access and is at its next point: notes that, to compare states. */
static void note(enum point_kind kind)
{
	if (kind != POINT_BLOCKED && omen.board->plan.compare) {
		compare_here();
		state.noted++;
	}
}

/*
 * May the second thread still run on?  A thread that waits for a while and then gives up gets the time to give up. A
 * thread that waits for the held thread waits for ever, so the number of yields is limited.
 */
static bool runs_on(enum point_kind kind) { return kind != POINT_YIELD || ++state.yields <= YIELDS; }

static struct fiber *run(enum point_kind kind)
{
	const struct board_plan *p = &omen.board->plan;
	struct fiber *first = state.first;

	omen.interest = 0;
	switch (state.phase) {
	case AT_STOP:
		if (p->order == PLAN_FIRST &&
		    p->keep_order) { /* no thread need be held for it, and other accesses may come between the two */
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
		state.phase = WAITS; /* it already waits, so it cannot be held */
		return is_passed() ? passed_choose(kind) : pick_other(kind);
	case SECOND_MADE:
		if (omen.current->state == FIBER_RUNNABLE &&
		    (!is_past(1, kind) || (p->run_on && runs_on(kind) && !is_used_up())))
			return omen.current;
		note(kind);
		if (state.held) {
			steer_release();
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

const struct strategy strategy_steer = {"direct", start,     run, strategy_wake_oldest, strategy_pick_newest,
                                        NULL,     TIME_WAITS};

/* ---- the observer ---- */

static uint64_t hear(const struct op *op)
{
	uint64_t address = (uint64_t)op->object;
	bool counts = mode_is(COUNT_TOUCHES);

	switch (op->kind) {
	case OP_KIND_ACCESS: /* atomic accesses come as ATOMIC_AHEAD, before they are made */
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

const struct observer steer_observer = {.name = "steer",
                                        .mode = MODE(COUNT_TOUCHES) | MODE(STEER) | MODE(HOLD),
                                        .op = hear,
                                        .hears = {HEARS(ACCESS), HEARS(OBJECT_ACCESS), HEARS(ATOMIC_AHEAD),
                                                  HEARS(LATE_ACCESS), HEARS(STUCK), HEARS(TIME_PASSES),
                                                  HEARS(GOES_ALONE), HEARS(REPEATS)}};
