/*
 * Synchronisation objects are memory.  An operation on one reads it, as atomics do; init and destroy write it.  So a
 * lock that is used while another thread frees, destroys or makes it is a race, and one that is used after its memory
 * was freed is a use after free.
 *
 * Only what the program's own code does counts: between two calls of a library that was not built with `omen cc` there
 * may be an order that nobody sees.
 */
#ifndef OMEN_SYNC_OBJECT_H
#define OMEN_SYNC_OBJECT_H

#include "rt/memory/above.h"
#include "rt/memory/memory_check.h"
#include "rt/threads/lock_order.h"
#include "rt/core/rt.h"
#include "abi/board.h"

/* The code at `where` (where_code()) uses the object, or begins or ends its life. */
void object_access(enum object_kind kind, const void *object, enum object_life life, uint64_t where);

/* Code of the program, or of the C++ library for it: what others do to objects and descriptors may have an order that
 * nobody sees. */
bool object_counts(uint64_t where);

static inline bool object_matters(void) { return mode_is(DETECT) || mode_is(CHECK) || mode_is(PAST_RACE); }

/* Before it is used; before what that orders. */
static inline void object_used(enum object_kind kind, const volatile void *object, uint64_t where)
{
	if (object_matters())
		object_access(kind, (const void *)object, OBJECT_LIVES, where);
}

/* Who had to wait for it has it: it may have been destroyed meanwhile. */
void object_stays(enum object_kind kind, const volatile void *object, uint64_t where);

/* Before its life begins or ends. */
static inline void object_lives(enum object_kind kind, const volatile void *object, enum object_life life,
                                uint64_t where)
{
	if (object_matters())
		object_access(kind, (const void *)object, life, where);
	lock_order_forget((uint64_t)object, (uint64_t)object + 1);
	if (unlikely(mode_is(CHECK)) && life == OBJECT_MADE)
		guard_made(kind, (const void *)object);
}

#endif
