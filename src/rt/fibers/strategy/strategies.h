/*
 * The strategies, one file each: who runs, who is woken, what a load sees. struct strategy is in rt.h.  The scheduler
 * calls a strategy only through that struct; strategies share the functions below.
 */
#ifndef OMEN_STRATEGIES_H
#define OMEN_STRATEGIES_H

#include "rt/core/rt.h"

extern const struct strategy strategy_fair, strategy_random, strategy_pct, strategy_queue, strategy_replay,
        strategy_direct, strategy_follow, strategy_exhaust, strategy_meet, strategy_coarse, strategy_keep,
        strategy_mixed, strategy_racy;

/* An execution begins, or goes on, under random or under pct.  The seed is set already. */
void random_begin(void);
void pct_begin(uint32_t depth, uint64_t length);

/*
 * time_jumps.c. jumps_begin: an execution begins, or goes on. jumps_expect: a fiber has begun to wait for a deadline.
 * jumps_due: does time pass at this point?
 */
void jumps_begin(void);
void jumps_expect(void);
bool jumps_due(void);

/* Replay: lets time pass if the schedule says so here. */
bool replay_jump(void);

/* The strategy with the board's number.  Ends the process with a message if there is none. */
const struct strategy *strategy_by_id(uint32_t id);

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

#endif
