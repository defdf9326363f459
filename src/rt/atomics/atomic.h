/*
 * The effect on other threads of atomic operations that are already done in memory.  For hooks, libatomic's functions
 * and interposed functions that do the operation themselves.
 */
#ifndef OMEN_ATOMIC_H
#define OMEN_ATOMIC_H

#include "rt/core/rt.h"

/* `order` is C11's memory order; `site` may be NULL. */
void atomic_read(const void *addr, uint64_t size, int order, const struct omen_site *site);
void atomic_written(const void *addr, uint64_t size, int order, const struct omen_site *site);
void atomic_updated(const void *addr, uint64_t size, int order, const struct omen_site *site);
void atomic_compared(const void *addr, uint64_t size, bool ok, int success, int failure, const struct omen_site *site);
void atomic_fence(int order);

#endif
