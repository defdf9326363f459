/* Which fiber waits for which: for deadlocks and reports.  Every room of the runtime may ask. */
#ifndef OMEN_WAITS_H
#define OMEN_WAITS_H

#include "rt/core/rt.h"

/* The name of a kind in reports, such as "mutex" or "condition". */
const char *ending_object_name(enum object_kind kind);

/* The fiber that holds what `f` waits for, or NULL if that is unknown. */
struct fiber *ending_holder(const struct fiber *f);

/* Does `f` wait for itself, through other fibers? */
bool ending_in_cycle(struct fiber *f);
/* Is there a cycle of fibers that wait for each other? */
bool ending_has_cycle(void);

/* Writes a text such as "waits for mutex 0x… held by T2". */
void ending_describe_wait(char *buf, size_t size, const struct fiber *f);

#endif
