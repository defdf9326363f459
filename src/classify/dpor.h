/*
 * Which interleaving is next? Dynamic partial-order reduction with source sets and sleep sets (Abdulla, Aronis,
 * Jonsson, Sagonas, POPL 2014): of the executions that differ only in the order of steps that do not conflict, one is
 * enough.
 *
 * In: the notes of each execution's steps. Out: the choices of the next execution. Called by all_interleavings.c.
 */
#ifndef OMEN_DPOR_H
#define OMEN_DPOR_H

#include "classify/order_effects.h"
#include "abi/board.h"

struct dpor;

/* `reduce` false: every order of all steps, for tests. */
struct dpor *dpor_new(bool reduce);
void dpor_free(struct dpor *d);

/* Says what the next execution has to do. */
void dpor_guide(const struct dpor *d, struct board_guide *g);
/*
 * Reads what it did: the notes of its steps, and whether the last step ended it. False: there was no second thread, or
 * `why` says why not all interleavings can be executed.
 */
bool dpor_read_execution(struct dpor *d, const struct step_note *log, uint64_t count, bool ended, const char **why);
/* Goes on to the next interleaving. False: there is no other one. */
bool dpor_next(struct dpor *d);

/* Writes down all choices of the execution that was read. Returns their number. */
uint32_t dpor_choices(const struct dpor *d, uint32_t *out, uint32_t most);

/* Reports the steps of the execution that was read, and every two of them that conflict (order_effects.h). */
void dpor_report(const struct dpor *d, struct encounters *to);

/* Which part of all interleavings is done, about. */
double dpor_progress(const struct dpor *d);

#endif
