/* What fails in the executions that are made, whatever for: each failure once, with an execution that shows it. */
#ifndef OMEN_FAILURE_LIST_H
#define OMEN_FAILURE_LIST_H

#include "classify/classify.h"

/*
 * The execution on the board is over.  `d`: how it left the recording, so that it can be had again; NULL: no schedule
 * has all of it.
 */
void failed_note(struct classifier *c, const struct board *b, const struct departure *d);

/* It has not failed, or so that there is nothing new in it. */
bool failed_is_known(struct classifier *c, const struct board_result *r);

/* What was noted so far goes into the journal. */
void failed_save(struct classifier *c);

/* An execution that leaves the recording at this point. */
struct departure departure_at(const struct classifier *c, const struct board *b, uint64_t point);

/*
 * Which violations are there in the recorded execution, of those that only checks show?  All others go on behind them:
 * the same happens there whatever the orders of races, and what comes then is to be seen.
 */
void failed_find_constant(struct classifier *c, const struct execution *recorded);

/* As failed_find_constant() does with the execution on the board, made by other means.  True: it has one more. */
bool failed_is_constant(struct classifier *c, const struct board *b, const struct departure *d);

/*
 * Executions with all races in the recorded order, from the beginning on and else with schedules of their own: what
 * fails in them needs no race.
 */
void failed_find_own(struct classifier *c, const struct execution *recorded);

/* It comes without any race in another order than the recorded one. */
void failed_set_own(struct classifier *c, uint32_t ending, uint64_t signature);
bool failed_is_own(struct classifier *c, uint32_t ending, uint64_t signature);

#endif
