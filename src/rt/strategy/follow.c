/*
 * Follow: turns as the board's steps say, each up to a point of the fiber's own.  A schedule counts the points of all
 * fibers together; these numbers mean nothing once a switch is left out.  A fiber's own points mostly keep their
 * meaning.  A step that does not fit is skipped.  The execution is recorded like every other, so this strategy only
 * ever proposes executions.
 */
#include "rt/strategy/strategies.h"

#include "rt/strategy/steer.h"
#include "rt/fibers/sched.h"

static struct {
	uint32_t next;
	uint64_t since; /* the running fiber's own points are counted up to this point */
} state;

static void start(void)
{
	state.next = 0;
	state.since = omen.points;
	for (uint32_t i = 0; i < omen.nlive; i++)
		omen.live[i]->made = 0;
	omen.interest = 0;
	strategy_fair.start();
}

static void count(bool blocked)
{
	omen.current->made += omen.points - state.since - (blocked && omen.points > state.since);
	state.since = omen.points;
}

static void hold_or_release(const struct board_step *s)
{
	if (s->kind == CHOICE_TIME)
		sched_jump();
	else if (s->kind == CHOICE_HOLD && omen.current->state == FIBER_RUNNABLE) {
		direct_hold();
	} else if (s->kind == CHOICE_RELEASE) {
		direct_release();
		sched_record(CHOICE_RELEASE, 0, false);
	}
}

/* The fiber whose turn it is; NULL: all steps are done. */
static struct fiber *follow(enum point_kind kind)
{
	const struct board *b = omen.board;

	for (; state.next < b->nsteps && state.next < BOARD_STEPS; state.next++) {
		const struct board_step *s = &b->steps[state.next];
		struct fiber *f = s->kind == CHOICE_RUN ? strategy_runnable(s->fiber) : NULL;
		hold_or_release(s);
		if (s->until == UINT64_MAX && kind == POINT_YIELD && f == omen.current)
			continue;
		if (f && f->made < s->until) {
			omen.interest = s->until == UINT64_MAX ? s->until : omen.points + (s->until - f->made);
			return f;
		}
	}
	omen.interest = UINT64_MAX;
	return NULL;
}

static struct fiber *run(enum point_kind kind)
{
	count(kind == POINT_BLOCKED);
	struct fiber *f = follow(kind);

	/* the last step may hold the running fiber, and another one has become runnable meanwhile */
	if (!f)
		f = strategy_fair.run(omen.current->state == FIBER_RUNNABLE ? kind : POINT_BLOCKED);
	direct_goes_on(f);
	return f;
}

/* What the running fiber chose at this point of its own; NULL: the default. */
static const struct board_step *choice(enum choice_kind kind)
{
	const struct board *b = omen.board;
	uint64_t made = omen.current->made + omen.points - state.since;

	for (uint32_t i = 0; i < b->nsteps && i < BOARD_STEPS; i++) {
		const struct board_step *s = &b->steps[i];
		if (s->kind == kind && s->fiber == omen.current->id && s->until == made)
			return s;
	}
	return NULL;
}

static struct fiber *wake(struct fiber **waiters, uint32_t n)
{
	const struct board_step *s = choice(CHOICE_WAKE);

	for (uint32_t i = 0; s && i < n; i++)
		if (waiters[i]->id == s->chosen)
			return waiters[i];
	return waiters[0];
}

static uint32_t pick(uint32_t n)
{
	const struct board_step *s = choice(CHOICE_PICK);

	return s && s->chosen < n ? s->chosen : 0;
}

const struct strategy strategy_follow = {"follow", start, run, wake, pick, NULL, TIME_WAITS};
