/*
 * The scheduler counts points, the strategy makes every choice, and the schedule stores each choice that is not the
 * default.  A replay needs no more than that (docs/design.md, "Schedules").
 */
#include "rt/fibers/sched.h"

#include "rt/core/op.h"

#include "rt/fibers/point_density.h"
#include "rt/ending/ending.h"
#include "rt/fibers/above.h"
#include "rt/fibers/fiber.h"
#include "rt/fibers/endless_loop.h"
#include "rt/fibers/state_hash.h"
#include "rt/fibers/choose.h"
#include "rt/core/text.h"

static struct {
	uint64_t counted_from; /* the budget of points counts from this point on */
	uint64_t awaited_from; /* since this point a fiber waits for time to pass; 0: none does */
	struct fiber *leaving; /* this fiber ends the process, at `leaves_at` at the latest */
	uint64_t leaves_at;
} state;

#define PACE      50l     /* ns for each point, about what it takes natively */
#define FAST_PACE 2000l   /* the same, once a fiber has waited for time to pass for LONG points */
#define LONG      100000u /* points */
#define LEAVE     1000u   /* points */

/* gdb's `omen continue-to` stops here and may set another omen.debug_point: src/gdb/omen-gdb.py. */
static COLD void sched_stop(void) { __asm__ volatile("" ::: "memory"); }

static inline void stop_here(void)
{
	if (likely(omen.points < omen.debug_point))
		return;
	omen.debug_point = UINT64_MAX;
	sched_stop();
}

void sched_record(enum choice_kind kind, uint32_t chosen, bool blocked)
{
	struct board *b = omen.board;

	if (!b)
		return;
	uint64_t n = b->replay_entries + b->schedule_entries;
	if (n >= SCHEDULE_MAX) {
		b->schedule_full++;
		return;
	}
	b->schedule[n] = (struct schedule_entry){.point = omen.points,
	                                         .kind = kind,
	                                         .chosen = chosen,
	                                         .from = omen.current->id,
	                                         .blocked = blocked,
	                                         .where = omen.where};
	__atomic_store_n(&b->schedule_entries, b->schedule_entries + 1, __ATOMIC_RELEASE);
	sched_settle();
}

void sched_settle(void) { __atomic_store_n(&omen.board->settled, omen.points, __ATOMIC_RELEASE); }

void sched_unblock(struct fiber *f, enum wait_result result)
{
	if (f->state != FIBER_BLOCKED)
		return;
	if (f->wait.kind == WAIT_FDS)
		omen.io_waiters--;
	f->wait.result = result;
	fiber_runnable(f);
	OP(ENABLES, .fiber = f);
}

/*
 * Nothing here may depend on a choice that is not recorded.  If the strategy chooses that the running fiber goes on, a
 * replay does not even call this function.
 */
static void run(struct fiber *next, bool blocked)
{
	if (next == omen.current && !blocked)
		return;
	sched_record(CHOICE_RUN, next->id, blocked);
	if (next == omen.current)
		return;
	omen.switches++;
	if (!blocked)
		omen.preemptions++;
	fiber_switch(next);
}

bool sched_jump(void)
{
	if (omen.next_deadline == NEVER)
		return false;
	if (omen.clock < omen.next_deadline) {
		omen.jumped += omen.next_deadline - omen.clock;
		omen.clock = omen.next_deadline;
	}
	kernel_fire_timers();
	sched_record(CHOICE_TIME, 0, omen.current->state != FIBER_RUNNABLE);
	return true;
}

/* True: time has jumped, so a fiber that waited for it may run now. */
static inline bool let_time_pass(void)
{
	if (likely(omen.points < omen.jump_at))
		return false;
	return omen.strategy->jumps ? omen.strategy->jumps() : jumps_due() && sched_jump();
}

/* The running fiber cannot go on.  Finds one that can; waits for time or the world if none can. */
static struct fiber *next_after_block(void)
{
	omen.points++;
	omen.turns++;
	density_turn();
	omen_event(omen.points << 16 | POINT_BLOCKED, (uint64_t)omen.current->id << 48);
	stop_here();
	if (unlikely(omen.io_dirty))
		kernel_poll(0);
	while (!omen.nrunnable)
		kernel_idle();
	let_time_pass();
	return loop_turn() ? strategy_next_in_turn() : omen.strategy->run(POINT_BLOCKED);
}

static COLD void look_at_budget(void)
{
	uint64_t most = omen.board ? omen.board->config.event_budget : 0;
	if (omen.children) /* children run in real time: points made meanwhile do not count */
		state.counted_from = omen.points + omen.unseen;
	uint64_t turns = omen.board ? omen.board->config.turn_budget : 0;
	if ((most && omen.points + omen.unseen - state.counted_from >= most) ||
	    (turns && omen.turns >= turns && !omen.children))
		ending_fail(ENDING_BUDGET, "no end after %lu scheduling points; not proven to be endless", omen.points);
}

/*
 * A stress test may run for as long as main sleeps.  It need not make all the points that fit into that time, so the
 * clock runs faster.  It does not if the program waits for the outside or for children, or if a timer will kill it.
 */
static void set_pace(void)
{
	if (omen.next_deadline == NEVER || omen.io_waiters || omen.children || kernel_timer_kills(NEVER))
		state.awaited_from = 0;
	else if (!state.awaited_from)
		state.awaited_from = omen.points;
	omen.pace = state.awaited_from && omen.points - state.awaited_from > LONG ? FAST_PACE : PACE;
}

static COLD void now_and_then(void)
{
	set_pace();
	kernel_sync_clock();
	if (omen.io_waiters)
		kernel_poll(0);
	kernel_look_again();
	if (omen.board)
		sched_settle();
	look_at_budget();
}

/*
 * Fibers that only compute take longer and longer turns, because short turns make the processor's caches useless. Turns
 * are short again as soon as a fiber does something that others may wait for.
 */
static inline void refill(enum point_kind kind)
{
	bool used_up = kind == POINT_YIELD && omen_hot->budget < 0;

	if (kind == POINT_STREAM)
		return;
	if (!used_up || mode_is(LOOP_PROOF))
		omen.stretch = omen.used_up = 0;
	else if (++omen.used_up >= omen.nrunnable && omen.stretch < omen.most_stretch) {
		omen.used_up = 0;
		omen.stretch++;
	}
	int32_t most = mode_is(LOOP_PROOF) ? LOOP_BUDGET : omen.loop_budget << omen.stretch;
	if (omen_hot->budget < 0 || omen_hot->budget > most)
		omen_hot->budget = most;
}

/* Has the fiber that ends the process waited long enough? */
static bool must_leave(void)
{
	return unlikely(state.leaving) && omen.points >= state.leaves_at && state.leaving->state == FIBER_RUNNABLE &&
	       !mode_is(STEPS) && !omen.strategy->jumps;
}

void sched_leaves(uint64_t where)
{
	state.leaving = omen.current;
	state.leaves_at = omen.points + LEAVE;
	sched_point(POINT_SYNC, where);
	state.leaving = NULL;
}

FORGETS void sched_point(enum point_kind kind, uint64_t where)
{
	if (unlikely(omen.off))
		return;
	invariants_point();
	omen.points++;
	omen.turns += kind != POINT_YIELD;
	if (unlikely(mode_is(DEPARTED)) && !mode_is(STEPS) && kind != POINT_STREAM) {
		if (kind == POINT_YIELD && omen_hot->budget < 0)
			density_loop();
		else
			density_stay_dense();
	}
	/* a spinning fiber uses up time, and others may sleep until then */
	sched_spend(kind == POINT_YIELD ? 5l * omen.loop_budget << omen.stretch : omen.pace);
	omen.where = where;
	omen_event(omen.points << 16 | kind, where ^ (uint64_t)omen.current->id << 48);
	stop_here();
	if (unlikely(omen.clock >= omen.next_deadline))
		kernel_fire_timers();
	if (unlikely(omen.io_dirty))
		kernel_poll(0);
	if (unlikely((omen.points & 0xff) == 0))
		now_and_then();
	else if (kind == POINT_YIELD) /* the numbers of a loop's points may all miss the test above */
		look_at_budget();
	if (unlikely(omen.points >= omen.stop_at))
		snapshot_here();
	loop_point();
	refill(kind);
	let_time_pass();
	if (omen.nrunnable > 1 || unlikely(mode_is(ASK_ALWAYS)))
		run(must_leave()  ? state.leaving
		    : loop_turn() ? strategy_next_in_turn()
		                  : omen.strategy->run(kind),
		    false);
	if (unlikely(omen.knocking || omen.points >= omen.signal_point))
		signals_admit(ADMIT_POINT);
	if (unlikely(omen.signal_arrived || current_fiber->pending))
		signals_deliver();
	if (unlikely(mode_any(MODES_WITH_STATES)))
		state_tidy();
}

void sched_access(uint64_t where)
{
	omen.where = where;
	stop_here();
	if (unlikely(omen.points >= omen.stop_at))
		snapshot_here();
	if (unlikely(mode_is(STEPS)) && loop_turn())
		return; /* a turn ends only at a point that loop_point() sees */
	if (!let_time_pass() && !sched_has_choice())
		return;
	run(omen.strategy->run(POINT_ACCESS), false);
	if (unlikely(mode_any(MODES_WITH_STATES)))
		state_tidy();
}

enum wait_result sched_block(uint64_t where)
{
	struct fiber *f = omen.current;

	omen.where = where;
	f->since = omen.points;
	f->wait.result = WAIT_PENDING;
	if (f->wait.kind != WAIT_KEY)
		OP(UNCLEAR, .object = "threads wait for the world");
	if (!f->wait.uninterruptible && signals_interrupt(f)) {
		f->wait.result = WAIT_INTERRUPTED;
	} else {
		fiber_not_runnable(f, FIBER_BLOCKED);
		if (f->wait.kind == WAIT_FDS)
			omen.io_waiters++;
		if (f->wait.deadline < omen.next_deadline)
			omen.next_deadline = f->wait.deadline;
		jumps_expect();
		OP(BLOCKS);
		run(next_after_block(), true);
		OP(RESUMES, .value = f->wait.result);
	}
	enum wait_result result = f->wait.result;
	f->wait = (struct wait){.deadline = NEVER};
	if (unlikely(mode_any(MODES_WITH_STATES)))
		state_tidy();
	return result;
}

void sched_leave(void)
{
	struct fiber *next = next_after_block();

	sched_record(CHOICE_RUN, next->id, true);
	omen.switches++;
	fiber_switch(next);
	text_die("a finished thread was continued");
}

static uint32_t collect_waiters(const void *key, uint32_t bits, struct fiber **out)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < omen.nlive; i++) {
		struct fiber *f = omen.live[i];
		if (f->state != FIBER_BLOCKED || f->wait.key != key || !(f->wait.bits & bits))
			continue;
		/* insertion sort by the time of waiting: the lists are short */
		uint32_t at = n++;
		for (; at && out[at - 1]->since > f->since; at--)
			out[at] = out[at - 1];
		out[at] = f;
	}
	return n;
}

uint32_t sched_wake(const void *key, uint32_t most, uint32_t bits)
{
	static struct fiber *waiters[MAX_FIBERS];
	uint32_t n = collect_waiters(key, bits, waiters);
	uint32_t woken = 0;

	while (n && woken < most) {
		struct fiber *f = waiters[0];
		if (n > 1 && most < n) {
			omen.points++;
			f = omen.strategy->wake(waiters, n);
			if (f != waiters[0])
				sched_record(CHOICE_WAKE, f->id, false);
		}
		OP(WAKES, .fiber = f);
		sched_unblock(f, WAIT_WOKEN);
		woken++;
		uint32_t at = 0;
		while (waiters[at] != f)
			at++;
		for (n--; at < n; at++)
			waiters[at] = waiters[at + 1];
	}
	return woken;
}

void sched_before_main(void)
{
	omen.stop_at = UINT64_MAX;
	omen.strategy = strategy_by_id(STRATEGY_FAIR);
	omen.interest = omen.jump_at = UINT64_MAX;
	omen.pace = PACE;
}

void sched_start(void)
{
	omen.points = omen.unseen = omen.switches = omen.preemptions = omen.events = 0;
	state.counted_from = state.awaited_from = 0;
	omen.jumped = 0;
	omen.pace = PACE;
	omen.interest = omen.jump_at = UINT64_MAX;
	omen.stop_at = omen.board && omen.board->config.stop_at ? omen.board->config.stop_at : UINT64_MAX;
	omen.sparse_at = UINT64_MAX;
	omen.stretch = omen.used_up = 0;
	if (omen.board && omen.board->config.loop_budget)
		omen.loop_budget = (int32_t)omen.board->config.loop_budget;
	if (omen.board)
		omen.most_stretch = omen.board->config.loop_stretch;
	omen.strategy = strategy_by_id(omen.board ? omen.board->config.strategy.id : STRATEGY_FAIR);
	if (omen.board) {
		omen.board->schedule_entries = omen.board->schedule_full = omen.board->settled = 0;
		__atomic_store_n(&omen.board->begun, 1, __ATOMIC_RELEASE);
	}
	omen.strategy->start();
	jumps_begin();
}

void sched_depart(const struct strategy_config *next)
{
	omen.board->config.strategy = *next;
	omen.interest = omen.jump_at = UINT64_MAX;
	omen.strategy = strategy_by_id(next->id);
	omen.strategy->start();
	jumps_begin();
}
