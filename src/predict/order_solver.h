/*
 * Asks Z3, in difference logic, whether an order of a window's events exists in which two accesses are both next.
 *
 * In:  a window, and the pairs of places to ask about.
 * Out: yes, with such an order; no; or not decided.
 * Called by the maximal tier.
 *
 * Each node of the window has a place in the order, a whole number, and so has the *meeting*. A node with a place below
 * that of the meeting has happened, and these nodes must be a reordering that the program of the trace can run. The
 * other nodes have not happened, and nothing restricts them.
 *
 * order_encoding.c makes the clauses; order_refinement.c adds those that an answer breaks.
 */
#ifndef OMEN_ORDER_SOLVER_H
#define OMEN_ORDER_SOLVER_H

#include "predict/candidates.h"
#include "predict/window.h"

enum answer { ANSWER_NO, ANSWER_YES, ANSWER_UNDECIDED };

struct order_solver;

struct order_solver *order_solver_new(const struct window *w);
void order_solver_free(struct order_solver *o);
/*
 * Whether two places can meet, in at most so many seconds. If they can: the two accesses in `event`, and the place of
 * each node; those with a place below `*meeting` have happened.
 */
enum answer order_solver_ask(struct order_solver *o, const struct candidates *c, const struct candidate *pair,
                             double seconds, uint32_t event[2], const int64_t **places, int64_t *meeting);

#endif
