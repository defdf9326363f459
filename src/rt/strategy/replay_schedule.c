/*
 * Replay: the choices of a recorded schedule, at the points where they were made.  Between them the program decides.
 * If it is another program, or has another input, a choice will not fit, and the replay says where.
 */
#include "rt/strategy/strategies.h"

#include "rt/strategy/steer.h"
#include "rt/ending/ending.h"
#include "rt/fibers/sched.h"

static struct {
	uint64_t next;
} state;

static const struct schedule_entry *entry(void)
{
	return state.next < omen.board->replay_entries ? &omen.board->schedule[state.next] : NULL;
}

static void look_ahead(void)
{
	const struct schedule_entry *e = entry();

	omen.interest = e ? e->point : UINT64_MAX;
	omen.jump_at = e && e->kind == CHOICE_TIME ? e->point : UINT64_MAX;
	if (omen.stop_at < omen.interest)
		omen.interest = omen.stop_at;
	if (omen.debug_point < omen.interest)
		omen.interest = omen.debug_point;
	if (omen.board->cut && omen.board->cut_point < omen.interest)
		omen.interest = omen.board->cut_point;
}

/* The choices made after the end of a cut recording are not known. */
static void end_where_cut(void)
{
	if (omen.board->cut && omen.points >= omen.board->cut_point)
		ending_cut();
}

static void start(void)
{
	state.next = 0;
	look_ahead();
}

static struct fiber *chosen(const struct schedule_entry *e, struct fiber **among, uint32_t n)
{
	state.next++;
	look_ahead();
	for (uint32_t i = 0; i < n; i++)
		if (among[i]->id == e->chosen)
			return among[i];
	struct fiber *late = e->kind == CHOICE_RUN ? strategy_let_time_pass(e->chosen) : NULL;
	if (late) /* meet.c lets time pass in the same way */
		return late;
	omen.board->expected = *e;
	ending_fail(ENDING_DIVERGED, "replay desynchronised at point %lu, in T%u: thread T%u was to %s, but cannot",
	            e->point, omen.current->id, e->chosen, e->kind == CHOICE_RUN ? "run" : "be woken");
}

static bool jump(void)
{
	const struct schedule_entry *e = entry();

	if (!e || e->point != omen.points || e->kind != CHOICE_TIME)
		return false;
	end_where_cut();
	state.next++;
	look_ahead();
	if (!sched_jump()) {
		omen.board->expected = *e;
		ending_fail(ENDING_DIVERGED,
		            "replay desynchronised at point %lu, in T%u: time was to pass, but nobody waits for it",
		            e->point, omen.current->id);
	}
	return true;
}

/* Holds and releases threads as the schedule says for this point, and lets time pass after that. */
static void hold_and_release(void)
{
	const struct schedule_entry *e = entry();

	while (e && e->point == omen.points &&
	       (e->kind == CHOICE_HOLD || e->kind == CHOICE_RELEASE || e->kind == CHOICE_TIME)) {
		if (jump()) {
			e = entry();
			continue;
		}
		state.next++;
		look_ahead();
		if (e->kind == CHOICE_HOLD) {
			direct_hold();
		} else {
			direct_release();
			sched_record(CHOICE_RELEASE, 0, e->blocked);
		}
		e = entry();
	}
}

static struct fiber *run(enum point_kind kind)
{
	end_where_cut();
	hold_and_release();
	const struct schedule_entry *e = entry();

	if (e)
		omen.board->expected = *e;
	if (e && e->point < omen.points)
		ending_fail(ENDING_DIVERGED,
		            "replay desynchronised: the choice of point %lu was passed over; the replay is at point "
		            "%lu, in "
		            "T%u",
		            e->point, omen.points, omen.current->id);
	if (e && e->point == omen.points && e->kind == CHOICE_RUN)
		return chosen(e, omen.runnable, omen.nrunnable);
	if (kind == POINT_ACCESS)
		look_ahead(); /* a debugger wants to stop here */
	if (kind != POINT_BLOCKED && omen.current->state == FIBER_RUNNABLE)
		return omen.current;
	/* The schedule is at its end: it was cut short, or the recorded execution ended here. */
	if (e)
		ending_fail(ENDING_DIVERGED,
		            "replay desynchronised at point %lu: thread T%u stopped, the recorded one went on up to "
		            "point %lu",
		            omen.points, omen.current->id, e->point);
	return strategy_next_in_turn();
}

static struct fiber *wake(struct fiber **waiters, uint32_t n)
{
	const struct schedule_entry *e = entry();

	end_where_cut();
	if (e && e->point == omen.points && e->kind == CHOICE_WAKE)
		return chosen(e, waiters, n);
	return waiters[0];
}

static uint32_t pick(uint32_t n)
{
	const struct schedule_entry *e = entry();

	end_where_cut();
	if (!e || e->point != omen.points || e->kind != CHOICE_PICK)
		return 0;
	state.next++;
	look_ahead();
	if (e->chosen >= n)
		ending_fail(ENDING_DIVERGED,
		            "replay desynchronised at point %lu: possibility %u was to be taken, there are %u",
		            e->point, e->chosen, n);
	return e->chosen;
}

const struct strategy strategy_replay = {"replay", start, run, wake, pick, jump, TIME_WAITS};
