/*
 * What strategies choose with: random numbers, turns, shared answers; and time that passes while threads run.  For the
 * strategies; the scheduler asks jumps_due().
 */
#ifndef OMEN_CHOOSE_H
#define OMEN_CHOOSE_H

#include "rt/core/rt.h"

/* The strategies' own random numbers, seeded with the execution's seed. */
void strategy_seed(void);
uint64_t strategy_random_below(uint64_t n);

/* The fiber with this id, if it can run, or NULL. */
struct fiber *strategy_runnable(uint32_t id);

/* The runnable fiber after the running one, by id, round robin. */
struct fiber *strategy_next_in_turn(void);
/* The same, but never `one`; NULL if there is no other. */
struct fiber *strategy_next_but(const struct fiber *one);

/*
 * For a fiber that is to run and waits: if it only waits for time to pass, that happens at once.  NULL: it waits for
 * something else.
 */
struct fiber *strategy_let_time_pass(uint32_t id);

/* Shared answer: the fiber that has waited longest. */
struct fiber *strategy_wake_oldest(struct fiber **waiters, uint32_t n);

/* Another answer: any of them. */
struct fiber *strategy_wake_any(struct fiber **waiters, uint32_t n);

/* Which store a load sees: as the board's configuration says; always the newest. */
uint32_t strategy_pick_any(uint32_t n);
uint32_t strategy_pick_newest(uint32_t n);

/* ---- time_jumps.c ---- */

/*
 * jumps_begin: an execution begins, or goes on. jumps_expect: a fiber has begun to wait for a deadline. jumps_due: does
 * time pass at this point?
 */
void jumps_begin(void);
void jumps_expect(void);
bool jumps_due(void);

#endif
