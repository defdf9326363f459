/*
 * In which order locks are taken.  Where one thread takes B with A held, and another one A with B held, the two can
 * wait for each other, although they did not.
 */
#ifndef OMEN_LOCK_ORDER_H
#define OMEN_LOCK_ORDER_H

#include "rt/core/rt.h"

/* The running fiber is about to wait for this lock, if need be; those that it holds are in fiber.held. */
void lock_order_note(const void *lock, bool reads);
static inline void lock_order_taking(const void *lock, bool reads)
{
	if (unlikely(mode_is(NOTICE)) && omen.current && omen.current->nheld)
		lock_order_note(lock, reads);
}

/* The locks in this memory are gone: it is freed, or they are destroyed or made anew. */
void lock_order_forget(uint64_t low, uint64_t high);

#endif
