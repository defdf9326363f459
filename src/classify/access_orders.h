/*
 * In which orders two places of the program access the same memory, over all interleavings.
 *
 * In: the steps of each execution (all_interleavings.c adds them). Out: whether some execution has a given order of two
 * accesses. interleaving_proof.c asks.
 */
#ifndef OMEN_ACCESS_ORDERS_H
#define OMEN_ACCESS_ORDERS_H

#include "report/interleavings.h"
#include "abi/board.h"

/* Adds the steps of one execution, as the runtime noted them; `ends`: it came to its end without a failure. */
void orders_add(struct orders *all, const struct step_note *log, uint64_t count, bool ends);
void orders_insert(struct orders *all, struct order o);
/* In some execution a thread made the second access after another thread made the first. */
bool orders_have(const struct orders *all, const struct board_access *first, const struct board_access *second);
/*
 * The same, and in that execution nobody made the first access after the second, although the thread of the first
 * access came to its end.
 */
bool orders_first_goes_on(const struct orders *all, const struct board_access *first,
                          const struct board_access *second);
/*
 * The two accesses come in one order only, in every interleaving. False also if that cannot be decided: both are at the
 * same place and of the same kind, or one of them was never seen.
 */
bool orders_are_single(const struct orders *all, const struct board_access *a, const struct board_access *b);

#endif
