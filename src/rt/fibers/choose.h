/*
 * Helpers of the strategies: random numbers, turns, and answers that several strategies share; and jumps of time while
 * threads run (time_jumps.c).  In: the runnable fibers, the clock, the seed.  Out: a fiber, a number, or whether time
 * jumps.  For the strategies; the scheduler calls the jumps_*() functions.
 */
#ifndef OMEN_CHOOSE_H
#define OMEN_CHOOSE_H

#include "rt/core/rt.h"

/* The strategies' own random numbers, seeded with the execution's seed. */
void strategy_seed(void);
uint64_t strategy_random_below(uint64_t n);

/* The fiber with this id, if it can run, or NULL. */
struct fiber *strategy_runnable(uint32_t id);

/* Round robin: the runnable fiber with the next id after the running one's. */
struct fiber *strategy_next_in_turn(void);
/* The same, except `one`; NULL if no other fiber can run. */
struct fiber *strategy_next_but(const struct fiber *one);

/*
 * The fiber with this id must run next, but waits.  If its wait has a deadline, the clock jumps to it, and the fiber is
 * returned.  NULL: it still cannot run.
 */
struct fiber *strategy_let_time_pass(uint32_t id);

/* Whom to wake: the fiber that has waited longest. */
struct fiber *strategy_wake_oldest(struct fiber **waiters, uint32_t n);

/* Whom to wake: a random one. */
struct fiber *strategy_wake_any(struct fiber **waiters, uint32_t n);

/* Which store a load sees: as the board's configuration says, or always the newest (0). */
uint32_t strategy_pick_any(uint32_t n);
uint32_t strategy_pick_newest(uint32_t n);

/* ---- time_jumps.c ---- */

/*
 * jumps_begin: an execution begins, or a new strategy takes over.  jumps_expect: a fiber has begun to wait for a
 * deadline.  jumps_due: does time jump at this point?
 */
void jumps_begin(void);
void jumps_expect(void);
bool jumps_due(void);

#endif
