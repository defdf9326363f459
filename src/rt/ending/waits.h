/* Who waits for whom: for deadlocks, and for reports. */
#ifndef OMEN_WAITS_H
#define OMEN_WAITS_H

#include "rt/core/rt.h"

/* "mutex", "condition" */
const char *ending_object_name(enum object_kind kind);

/* The fiber that has what `f` waits for, or NULL where that is not known. */
struct fiber *ending_holder(const struct fiber *f);

/* Does `f` wait for itself, by way of others? */
bool ending_in_cycle(struct fiber *f);
/* Is there a cycle of locks that wait for each other? */
bool ending_has_cycle(void);

/* "waits for mutex 0x… held by T2" */
void ending_describe_wait(char *buf, size_t size, const struct fiber *f);

#endif
