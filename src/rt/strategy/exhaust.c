/*
 * Exhaust: the choices that the tool asks for, then a runnable fiber that has not been tried. step_record.c does it
 * all.
 */
#include "rt/observe/step_record.h"
#include "rt/strategy/strategies.h"

static void start(void) { omen.interest = 0; }

static struct fiber *run(enum point_kind kind)
{
	(void)kind;
	return step_record_choose();
}

static struct fiber *wake(struct fiber **waiters, uint32_t n) { return waiters[step_record_pick(n)]; }

const struct strategy strategy_exhaust = {"exhaust", start, run, wake, step_record_pick, NULL, TIME_WAITS};
