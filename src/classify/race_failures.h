/*
 * Which races cause which failures, after everything was tried.
 *
 * In: the tallies of all races, and c->failures. Out: findings that are added or withdrawn, and the races of each
 * failure. Called by classify.c and try_primaries.c.
 */
#ifndef OMEN_RACE_FAILURES_H
#define OMEN_RACE_FAILURES_H

#include "classify/classify.h"
#include "classify/worker.h"

/* The order of some race is known to decide this failure. */
bool race_failures_explain(const struct race_tallies *all, const struct board_result *r);
/*
 * A race of a free with a use: an execution that fails at the use of the freed block has the bad order, whatever race
 * it was made for, and this order is the cause of the failure.
 */
void race_failures_take_uses(struct classifier *c, const struct race_tallies *all);
/* A race that was seen only in executions that fail: is the race the cause? */
void race_failures_suspect(struct race_tally *tally, const struct primary *p, bool raceless);
/*
 * Withdraws findings that no race causes. A failure that also comes with all races in the recorded order belongs to no
 * race, unless the order of one race was seen to decide it. Such a decision can be chance; where no thread can observe
 * the order of the two accesses, it is.
 */
void race_failures_withdraw(struct classifier *c, const struct race_tallies *all);
/* Notes for each failure which races cause it. */
void race_failures_assign(struct classifier *c, const struct race_tallies *all);

#endif
