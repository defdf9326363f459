/*
 * Keeps accesses to the bytes of races in the order of the execution that was left: see keep_order.c. steer.c begins it
 * and reports the accesses.
 */
#ifndef OMEN_KEEP_ORDER_H
#define OMEN_KEEP_ORDER_H

#include "rt/core/rt.h"

struct watched;

/* The execution leaves its recording before an access to `where`, which counts as made.  NULL: it leaves elsewhere. */
void keep_begin(const struct watched *where);

/* The running fiber makes an access to watched bytes. */
void keep_touched(const struct watched *w, uint32_t flags, const struct omen_site *site);

#endif
