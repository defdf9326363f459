/*
 * The strategies, one file each: who runs, who is woken, what a load sees.  struct strategy is in rt.h; what several
 * strategies use is in fibers/choose.h.  The scheduler calls a strategy only through that struct.
 */
#ifndef OMEN_STRATEGIES_H
#define OMEN_STRATEGIES_H

#include "rt/fibers/choose.h"

extern const struct strategy strategy_fair, strategy_random, strategy_pct, strategy_queue, strategy_replay,
        strategy_direct, strategy_follow, strategy_exhaust, strategy_meet, strategy_coarse, strategy_keep,
        strategy_mixed, strategy_racy;

/* An execution begins, or goes on, under random or under pct.  The seed is set already. */
void random_begin(void);
void pct_begin(uint32_t depth, uint64_t length);

#endif
