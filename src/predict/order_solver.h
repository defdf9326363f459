/*
 * Is there an order of a window's events in which two accesses are both next? Asked of Z3, in difference logic.
 *
 * Each point has a place in the order, a whole number, and so has the meeting. What is before the meeting has happened
 * in that order, and must be a reordering that the trace's program can run; what is not has not happened and is free.
 */
#ifndef OMEN_ORDER_SOLVER_H
#define OMEN_ORDER_SOLVER_H

#include "predict/candidates.h"
#include "predict/window.h"

enum answer { ANSWER_NO, ANSWER_YES, ANSWER_UNDECIDED };

struct order;

struct order *order_new(const struct window *w);
void order_free(struct order *o);
/*
 * Whether two places can meet, in at most so many seconds. If they do: the accesses in `event`, and the place of each
 * point; those with one below `*meeting` have happened before.
 */
enum answer order_ask(struct order *o, const struct candidates *c, const struct candidate *pair, double seconds,
                      uint32_t event[2], const int64_t **places, int64_t *meeting);

#endif
