/* What strategies choose with: random numbers, turns, shared answers; and time that passes while threads run. */
#ifndef OMEN_CHOOSE_H
#define OMEN_CHOOSE_H

#include "rt/core/rt.h"

/* The strategies' own random numbers, seeded with the execution's seed. */
void strategy_seed(void);
uint64_t strategy_random_below(uint64_t n);

/* The fiber with this number, if it can run. */
struct fiber *strategy_runnable(uint32_t id);

/* The runnable fiber after the running one, by id, round robin. */
struct fiber *strategy_next_in_turn(void);
/* The same without one of them; NULL if there is no other. */
struct fiber *strategy_next_but(const struct fiber *one);

/* A fiber that is to run and waits, if it is only for time to pass: that happens at once. NULL: it waits for more. */
struct fiber *strategy_let_time_pass(uint32_t id);

/* Shared answer: the one that has waited longest. */
struct fiber *strategy_wake_oldest(struct fiber **waiters, uint32_t n);

/* Another answer: any of them. */
struct fiber *strategy_wake_any(struct fiber **waiters, uint32_t n);

/* Which store a load sees, by the board's configuration; and always the newest. */
uint32_t strategy_pick_any(uint32_t n);
uint32_t strategy_pick_newest(uint32_t n);

/* ---- time_jumps.c ---- */

/* an execution begins, or goes on; somebody has begun to wait for a deadline; does time pass here? */
void jumps_begin(void);
void jumps_expect(void);
bool jumps_due(void);

#endif
