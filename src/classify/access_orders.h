/* In which orders two places of the program access the same memory, over all interleavings. */
#ifndef OMEN_ACCESS_ORDERS_H
#define OMEN_ACCESS_ORDERS_H

#include "report/interleavings.h"
#include "abi/board.h"

/* Adds what one execution did: its steps, as the runtime has noted them; whether it came to its end without failing. */
void orders_add(struct orders *all, const struct step_note *log, uint64_t count, bool ends);
void orders_insert(struct orders *all, struct order o);
/* Some execution had the second access behind the first, by another thread. */
bool orders_have(const struct orders *all, const struct board_access *first, const struct board_access *second);
/* The same, and nobody made the first access behind the second in that execution, although its thread came to its end.
 */
bool orders_leave(const struct orders *all, const struct board_access *first, const struct board_access *second);
/*
 * The two accesses come in one order only, whatever the interleaving. False also if that cannot be told: both are at
 * the same place and of the same kind, or nothing is known of one of them.
 */
bool orders_are_single(const struct orders *all, const struct board_access *a, const struct board_access *b);

#endif
