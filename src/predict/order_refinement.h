/*
 * Compares an answer of the solver with the rules that it was not told of, and tells it those that the answer breaks.
 *
 * In:  a model of all clauses so far.
 * Out: the places of the nodes in it; new clauses, if it breaks a rule.
 * Called by order_solver.c only.
 */
#ifndef OMEN_ORDER_REFINEMENT_H
#define OMEN_ORDER_REFINEMENT_H

#include "predict/order_encoding.h"

/* False: the answer breaks no rule. True: it does, and clauses that exclude it were added. */
bool order_refine(struct order_solver *o, Z3_model m);

#endif
