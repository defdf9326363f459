/*
 * Violations besides crashes: accesses to memory that is not the access's or not there any more, frees of what cannot
 * be freed, locks that are misused, invariants (docs/design.md, "Violations").  All of it only with config.check, but
 * for OMEN_INVARIANT().
 */
#ifndef OMEN_MEMORY_CHECK_H
#define OMEN_MEMORY_CHECK_H

#include "rt/core/regions.h"
#include "rt/core/rt.h"

#define GUARD_END  (1ul << 47) /* of what a program can address */
#define GUARD_FINE 0

/* Before anything of the program runs. */
void guard_start(void);

/* In a forked child: its executions are not looked at. */
void guard_leave(void);

/* The execution leaves its recording: from now on addresses need not be the recorded ones. */
void guard_depart(void);

/* It does so for no race in particular: cells must not say of memory that is freed or behind a block that it is fine.
 */
void guard_explore(void);

/* Stacks of allocations and frees take a fifth of the time of a program that makes many: whether to do without. */
void guard_be_brief(bool brief);

/*
 * Is this violation one that the execution is to go on behind?  `place`: the site, or 0 for where the running fiber has
 * called from; what else is wrong there is another one.
 */
enum guard_kind { GUARD_FREED, GUARD_BOUNDS, GUARD_VARIABLE, GUARD_LOCK };
bool guard_passes(uint64_t place, enum guard_kind kind);

/* ---- accesses ---- */

void guard_invariant_write(uint64_t low, uint64_t high);
void guard_check(uint64_t address, uint64_t size, uint32_t flags, const struct omen_site *site);

static inline uint8_t *guard_state_of(uint64_t address) { return (uint8_t *)(GUARD + (address >> 3)); }

/* Nothing is to be said of it: it is within 8 bytes that are fine. */
static inline bool guard_is_fine(uint64_t address, uint64_t size, uint32_t flags)
{
	return address < GUARD_END && (address & 7) + size <= 8 && *guard_state_of(address) == GUARD_FINE &&
	       !mode_is(INVARIANT_OPEN) && (!(flags & ACCESS_WRITE) || !omen.board->config.ninvariants);
}

/*
 * From here on the cells of the race check say what must not be accessed, and where the race is that the execution is
 * about; a half has the bytes of it, which are none for a stamp of 0.  So instrumented code itself sees most accesses
 * to be fine (OMEN_WATCH_CALM).
 */
void guard_take_cells(void);
/* A fault at this address was one at cells that are marked only now: it is over. */
bool guard_fault(uint64_t address);
void guard_invariants_take_cells(void);

/* The running fiber accesses memory (ACCESS_WRITE); ends the execution if that is not its to access. */
static inline void guard_access(const void *address, uint64_t size, uint32_t flags, const struct omen_site *site)
{
	if (unlikely(mode_is(CHECK)) && !likely(guard_is_fine((uint64_t)address, size, flags)))
		guard_check((uint64_t)address, size, flags, site);
}

/* An access to a variable whose extent the compiler knows (OMEN_OBJECT_*); `address`: 0 if it is not known. */
void guard_object(uint64_t address, int64_t offset, uint64_t size, uint64_t extent, uint32_t what);

/* ---- synchronisation objects: with mode_is(CHECK) only ---- */

enum object_life { OBJECT_LIVES, OBJECT_MADE, OBJECT_GONE };

/*
 * An object is used, made or destroyed; ends the execution if that cannot be.  `own`: by code of the program, not of
 * the C++ library, which makes some of them without a call.
 */
void guard_life(enum object_kind kind, const void *object, enum object_life life, bool own);

/* Whoever has made it: it was. */
void guard_made(enum object_kind kind, const void *object);

/* Memory is freed: ends the execution if somebody holds or waits for what is in it. */
void guard_free_objects(uint64_t low, uint64_t high);
void guard_objects_take_cells(void);

/* The object at this address was destroyed, and nothing was written there since.  False: that cannot be noted. */
bool guard_is_destroyed(uint64_t object);
bool guard_mark_destroyed(uint64_t object, bool yes);

/* On a stack; in a block of the heap or in a variable, so that no other process has it. */
bool guard_is_on_stack(uint64_t address);
bool guard_is_private(uint64_t address);

/* ---- the heap: with mode_is(CHECK) only ---- */

/* A block was made; `usable`: what the C library has given it. */
void guard_born(void *block, size_t size, size_t usable);

/* A block is about to be freed; ends the execution if it is none. */
void guard_freeing(void *block);

/* It is freed: its memory is nobody's.  True: it is kept for now, and its memory must not be used again. */
bool guard_freed(void *block, size_t usable);

/* It has become `now`, perhaps at the same place. */
void guard_resized(void *block, size_t usable, const void *now);

/* The next block that need not be kept any longer, or NULL. */
void *guard_forgotten(void);

/* Are freed blocks kept? */
bool guard_keeps(void);

/* The program asks how large a block really is: it may use all of it. */
void guard_whole(void *block, size_t usable);

/* Memory comes from the kernel, or goes back to it; and the end of the heap. */
void guard_unmapped(uint64_t low, uint64_t high);
void guard_break(uint64_t end);

/* ---- stacks (stack_check.c): nothing without mode_is(CHECK) ---- */

/* The C library maps memory for stacks, gives it back; a thread begins and ends on one. */
void guard_stack_mapped(uint64_t low, uint64_t high);
void guard_stack_unmapped(uint64_t low, uint64_t high);
void guard_stack_begins(uint64_t low, uint64_t high);
void guard_stack_ends(const struct fiber *f);

uint32_t guard_whose_stack(uint64_t address);
void guard_stacks_take_cells(void);
void guard_mark_stack(uint64_t low, uint64_t high, bool ended);

/* ---- locks: with mode_is(CHECK) only ---- */

/* Without a check most of it would go unnoticed, so the execution may be asked to go on. */
#define GUARD_MISUSE(...)                                                                                              \
	do {                                                                                                           \
		if (!guard_passes(0, GUARD_LOCK))                                                                      \
			ending_fail(ENDING_LOCK, __VA_ARGS__);                                                         \
	} while (0)

/* A fiber that waits for an object in this memory, and has not been woken. */
const struct fiber *guard_waiter(uint64_t low, uint64_t high);

void guard_unlock_mutex(const void *mutex);
void guard_wait(const void *mutex); /* for a condition */
void guard_unlock_rwlock(const void *lock);
void guard_unlock_spin(const volatile int *lock);
void guard_destroy_mutex(const void *mutex);
void guard_destroy_rwlock(const void *lock);
void guard_destroy_cond(const void *cond);

#endif
