/*
 * The scheduler: which fiber runs, and which fiber is blocked.  In: points, accesses and waits of the running fiber.
 * Out: switches to other fibers, and the schedule on the board.  For hooks, interposers, rt/kernel and the strategies.
 */
#ifndef OMEN_SCHED_H
#define OMEN_SCHED_H

#include "rt/core/rt.h"

/* The place of a point, as the schedule stores it: a site of instrumented code, or a code address. */
static inline uint64_t where_site(const struct omen_site *site) { return (uint64_t)(uintptr_t)site; }
static inline uint64_t where_code(const void *pc) { return (uint64_t)(uintptr_t)pc * 2 + 1; }

/* The running thread has used this much time. */
static inline void sched_spend(int64_t ns)
{
	omen.clock += ns;
	omen.cpu += ns;
	if (omen.current)
		omen.current->cpu += ns;
}

/* A scheduling point of the running fiber: the strategy may switch to another one, and signals are delivered. */
void sched_point(enum point_kind kind, uint64_t where);

/* A plain access at which the strategy wants to choose (omen.interest is reached). */
void sched_access(uint64_t where);

/* Does the strategy or a jump of time have a choice at this plain access? */
static inline bool sched_has_choice(void)
{
	return omen.points >= omen.jump_at ||
	       (omen.points >= omen.interest && (omen.nrunnable > 1 || mode_is(ASK_ALWAYS)));
}

/* The last point before the process ends: other fibers may still run there, but only for a limited number of points. */
void sched_leaves(uint64_t where);

/* Moves the clock to the next deadline, as a choice in the schedule.  False: there is no deadline. */
bool sched_jump(void);

/* Blocks the running fiber as current_fiber->wait says, until it is woken, times out or is interrupted. */
enum wait_result sched_block(uint64_t where);

/* Wakes at most `most` fibers that wait for `key` with a bit of `bits`; returns how many it woke. */
uint32_t sched_wake(const void *key, uint32_t most, uint32_t bits);

/* Makes a blocked fiber runnable; its wait returns `result`. */
void sched_unblock(struct fiber *f, enum wait_result result);

/* The running fiber has ended: runs another one, never returns. */
void sched_leave(void) __attribute__((noreturn));

/* Before main: everything runs fairly and nothing is noted.  An execution and its schedule begin at main. */
void sched_before_main(void);

/* Begins an execution under the board's configuration (without a board: fair). */
void sched_start(void);

/* Tells readers of the board that it is complete up to the present point.  There must be a board. */
void sched_settle(void);

/* Notes in the schedule a choice that is not the default: a fiber, or a number. */
void sched_record(enum choice_kind kind, uint32_t chosen, bool blocked);

/* The replay leaves its schedule: this strategy chooses from here on. */
void sched_depart(const struct strategy_config *next);

#endif
