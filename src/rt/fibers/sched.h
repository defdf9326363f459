/* The scheduler: who runs, and what blocks. */
#ifndef OMEN_SCHED_H
#define OMEN_SCHED_H

#include "rt/core/rt.h"

/* Where a point is, for the schedule: a site of instrumented code, or a code address. */
static inline uint64_t where_site(const struct omen_site *site) { return (uint64_t)(uintptr_t)site; }
static inline uint64_t where_code(const void *pc) { return (uint64_t)(uintptr_t)pc * 2 + 1; }

/* The current thread has run for so long. */
static inline void sched_spend(int64_t ns)
{
	omen.clock += ns;
	omen.cpu += ns;
	if (omen.current)
		omen.current->cpu += ns;
}

/* A scheduling point of the running fiber: it may be switched away from here, and signals are delivered. */
void sched_point(enum point_kind kind, uint64_t where);

/* A plain access that the strategy wants to be asked at (omen.interest is reached). */
void sched_access(uint64_t where);

/* At a plain access: is there a choice to be made? */
static inline bool sched_has_choice(void)
{
	return omen.points >= omen.jump_at ||
	       (omen.points >= omen.interest && (omen.nrunnable > 1 || mode_is(ASK_ALWAYS)));
}

/* A point, behind which the process ends: the others go on until then, but not for ever. */
void sched_leaves(uint64_t where);

/* Time passes up to the next deadline, as a choice of the schedule. False: nobody waits for time. */
bool sched_jump(void);

/* Blocks the running fiber as current_fiber->wait says, until woken, timed out or interrupted. */
enum wait_result sched_block(uint64_t where);

/* Wakes up to `most` fibers that wait for `key` with a bit of `bits`; returns how many. */
uint32_t sched_wake(const void *key, uint32_t most, uint32_t bits);

/* Makes a blocked fiber runnable; its wait ends with `result`. */
void sched_unblock(struct fiber *f, enum wait_result result);

/* The running fiber is gone: runs another one, never returns. */
void sched_leave(void) __attribute__((noreturn));

/* Until main everything runs fairly: an execution, and its schedule, begin there. */
void sched_before_main(void);

/* Begins an execution under the board's configuration (or fair without one). */
void sched_start(void);

/* All that happened before the present point stands on the board, which is there: a reader may rely on it. */
void sched_settle(void);

/* Notes a choice that is not the default one: of a fiber, or a number. */
void sched_record(enum choice_kind kind, uint32_t chosen, bool blocked);

/* The replay leaves its schedule: from now on this strategy chooses. */
void sched_depart(const struct strategy_config *onward);

#endif
