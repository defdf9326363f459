/*
 * Which interleaving next?  Dynamic partial-order reduction with source sets and sleep sets (Abdulla, Aronis, Jonsson,
 * Sagonas, POPL 2014): of the executions that differ only in the order of steps that do not conflict, one is enough.
 */
#ifndef OMEN_DPOR_H
#define OMEN_DPOR_H

#include "classify/order_effects.h"
#include "abi/board.h"

struct dpor;

/* `reduce`: false: every order of all steps, for tests. */
struct dpor *dpor_new(bool reduce);
void dpor_free(struct dpor *d);

/* What the next execution is to do. */
void dpor_guide(const struct dpor *d, struct board_guide *g);
/*
 * What came of it: its steps, and whether the last of them ended it.  False: there was no second thread, or `why` says
 * why they cannot all be gone through.
 */
bool dpor_read(struct dpor *d, const struct step_note *log, uint64_t count, bool ended, const char **why);
/* On to the next. False: there is no other interleaving. */
bool dpor_go_on(struct dpor *d);

/* All choices of the execution that was read; how many there are. */
uint32_t dpor_choices(const struct dpor *d, uint32_t *out, uint32_t most);

/* The steps of the execution that was read, and every two of them that conflict: for order_effects.h. */
void dpor_tell(const struct dpor *d, struct encounters *to);

/* About which part of all has been gone through. */
double dpor_progress(const struct dpor *d);

#endif
