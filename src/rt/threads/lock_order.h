/*
 * The order in which locks are taken.  If one thread takes B while it holds A, and another thread takes A while it
 * holds B, the two can wait for each other, even if they did not in this execution.  In: locks as they are taken.  Out:
 * a notice.  For this room and rt/libc.
 */
#ifndef OMEN_LOCK_ORDER_H
#define OMEN_LOCK_ORDER_H

#include "rt/core/rt.h"

/* The running fiber is about to take this lock, and may wait for it.  The locks that it holds are in fiber.held. */
void lock_order_note(const void *lock, bool reads);
static inline void lock_order_taking(const void *lock, bool reads)
{
	if (unlikely(mode_is(NOTICE)) && omen.current && omen.current->nheld)
		lock_order_note(lock, reads);
}

/* The locks in this memory do not exist any more: it is freed, or they are destroyed or initialised again. */
void lock_order_forget(uint64_t low, uint64_t high);

#endif
