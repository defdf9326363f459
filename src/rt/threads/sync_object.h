/*
 * Synchronisation objects as memory.  An operation on an object reads it, as an atomic does; init and destroy write it.
 * So it is a race if a thread uses a lock while another thread frees, destroys or initialises it, and a use after free
 * if a thread uses a lock whose memory was freed.
 *
 * Only operations of the program's own code count.  Calls of a library that was not built with `omen cc` may have an
 * order that the runtime does not see.
 *
 * In: an object and what happens to it.  Out: an access for the race check and the memory check.
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

/* Is it code of the program, or of the C++ library for the program?  What other libraries do to objects and descriptors
 * may have an order that the runtime does not see. */
bool object_counts(uint64_t where);

static inline bool object_matters(void) { return mode_is(DETECT) || mode_is(CHECK) || mode_is(PAST_RACE); }

/* Call this before the object is used, and before the order that this makes. */
static inline void object_used(enum object_kind kind, const volatile void *object, uint64_t where)
{
	if (object_matters())
		object_access(kind, (const void *)object, OBJECT_LIVES, where);
}

/* A fiber has the object after it may have waited: checks that the object was not destroyed meanwhile. */
void object_stays(enum object_kind kind, const volatile void *object, uint64_t where);

/* Call this before the life of the object begins or ends. */
static inline void object_lives(enum object_kind kind, const volatile void *object, enum object_life life,
                                uint64_t where)
{
	if (object_matters())
		object_access(kind, (const void *)object, life, where);
	lock_order_forget((uint64_t)object, (uint64_t)object + 1);
	if (unlikely(mode_is(CHECK)) && life == OBJECT_MADE)
		object_check_made(kind, (const void *)object);
}

#endif
