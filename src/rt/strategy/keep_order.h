/* The order of accesses to the bytes of races, as the execution has it that is left: see keep_order.c. */
#ifndef OMEN_KEEP_ORDER_H
#define OMEN_KEEP_ORDER_H

#include "rt/core/rt.h"

struct watched;

/* The execution leaves its recording before an access to `where`, which counts as made; NULL: before no such one. */
void keep_begin(const struct watched *where);

/* An access to watched bytes is made. */
void keep_touched(const struct watched *w, uint32_t flags, const struct omen_site *site);

#endif
