/*
 * Violations besides crashes: accesses outside their memory or to freed memory, frees of what is no block, misuse of
 * locks, invariants (docs/design.md, "Violations").  Access hooks, the heap, the interposed functions and the memory
 * syscalls report what the program does; a violation ends the execution.  Nothing is active without config.check,
 * except OMEN_INVARIANT().
 */
#ifndef OMEN_MEMORY_CHECK_H
#define OMEN_MEMORY_CHECK_H

#include "rt/core/regions.h"
#include "rt/core/rt.h"

#define MEMORY_END  (1ul << 47) /* of the addresses that a program can use */
#define MEMORY_FINE 0

/* Maps the states.  Before any code of the program runs. */
void memory_start(void);

/* In a forked child: its execution is not checked. */
void memory_leave(void);

/* The execution leaves its recording: from now on addresses may differ from the recorded ones. */
void memory_depart(void);

/*
 * It leaves to explore, and not for one race.  Cells must not say any more that freed memory, or memory behind a block,
 * is fine.
 */
void memory_explore(void);

/*
 * Whether to do without stacks of allocations and frees.  They take a fifth of the time of a program that makes many.
 */
void memory_be_brief(bool brief);

/* Makes cells accessible that mark memory as invalid by not being so, and hides them again: for the rewinder. */
void memory_show_cells(void);
void memory_hide_cells(void);

/*
 * Is this violation tolerated: does the execution continue after it?  `place`: the site, or 0 for the place that the
 * running fiber has called from.  A violation of another kind at the same place is another one.
 */
enum violation_kind { VIOLATION_FREED, VIOLATION_BOUNDS, VIOLATION_VARIABLE, VIOLATION_LOCK };
bool memory_tolerates(uint64_t place, enum violation_kind kind);

/* ---- accesses ---- */

void invariants_write(uint64_t low, uint64_t high);
void memory_check(uint64_t address, uint64_t size, uint32_t flags, const struct omen_site *site);

static inline uint8_t *memory_state_of(uint64_t address) { return (uint8_t *)(MEMORY_STATES + (address >> 3)); }

/* Nothing is wrong with the access: it is within 8 bytes that are fine. */
static inline bool memory_is_fine(uint64_t address, uint64_t size, uint32_t flags)
{
	return address < MEMORY_END && (address & 7) + size <= 8 && *memory_state_of(address) == MEMORY_FINE &&
	       !mode_is(INVARIANT_OPEN) && (!(flags & ACCESS_WRITE) || !omen.board->config.ninvariants);
}

/*
 * From here on the cells of the race check say which bytes must not be accessed, and which are those of the race that
 * the execution is about.  A half has just these bytes and segment 0, and the stamp is 0.  So instrumented code finds
 * most accesses to be fine by itself (OMEN_WATCH_SPARSE).
 */
void memory_take_cells(void);
/* Handles a fault at the cells of a large freed block, which are marked only now.  False: it is another fault. */
bool memory_fault(uint64_t address);
void invariants_take_cells(void);

/* The running fiber accesses memory (flags: ACCESS_WRITE).  Ends the execution if it must not. */
static inline void memory_access(const void *address, uint64_t size, uint32_t flags, const struct omen_site *site)
{
	if (unlikely(mode_is(CHECK)) && !likely(memory_is_fine((uint64_t)address, size, flags)))
		memory_check((uint64_t)address, size, flags, site);
}

/* An access to a variable whose extent the compiler knows (OMEN_OBJECT_*).  `address`: 0 if it is not known. */
void memory_variable(uint64_t address, int64_t offset, uint64_t size, uint64_t extent, uint32_t what);

/* ---- synchronisation objects: with mode_is(CHECK) only ---- */

enum object_life { OBJECT_LIVES, OBJECT_MADE, OBJECT_GONE };

/*
 * An object is used, made or destroyed.  Ends the execution if that is misuse.  `own`: by code of the program, not of
 * the C++ library, which makes some objects without a call.
 */
void object_check_life(enum object_kind kind, const void *object, enum object_life life, bool own);

/* The object is initialised now. */
void object_check_made(enum object_kind kind, const void *object);

/* Memory is freed.  Ends the execution if it contains a lock that is held or an object that a fiber waits for. */
void object_check_free(uint64_t low, uint64_t high);
void object_check_take_cells(void);

/*
 * memory_is_destroyed: was the object at this address destroyed, with nothing written there since?
 * memory_mark_destroyed returns false if that cannot be noted.
 */
bool memory_is_destroyed(uint64_t object);
bool memory_mark_destroyed(uint64_t object, bool yes);

/* Is the address on a stack?  Is it in a block of the heap or in a variable, so that no other process has it? */
bool memory_is_on_stack(uint64_t address);
bool memory_is_private(uint64_t address);

/* ---- the heap: with mode_is(CHECK) only ---- */

/* A block was allocated.  `usable`: the bytes that the C library has given it. */
void memory_allocated(void *block, size_t size, size_t usable);

/* A block is about to be freed.  Ends the execution if there is no such block. */
void memory_freeing(void *block);

/*
 * The block is freed: its memory must not be accessed.  True: it is kept for now, and its memory must not be used
 * again.
 */
bool memory_freed(void *block, size_t usable);

/* The block was resized to `now`, perhaps at the same place. */
void memory_resized(void *block, size_t usable, const void *now);

/* The next block that need not be kept any longer, or NULL. */
void *memory_next_forgotten(void);

/* Are freed blocks kept? */
bool memory_keeps_freed(void);

/* The program asks how large a block really is: it may use all of it. */
void memory_size_asked(void *block, size_t usable);

/* Memory comes from the kernel, or goes back to it; the end of the heap moves. */
void memory_unmapped(uint64_t low, uint64_t high);
void memory_break(uint64_t end);

/* ---- stacks (stack_check.c): nothing without mode_is(CHECK) ---- */

/* The C library maps memory for stacks, or unmaps it; a thread begins or ends on a stack. */
void stack_check_mapped(uint64_t low, uint64_t high);
void stack_check_unmapped(uint64_t low, uint64_t high);
void stack_check_begins(uint64_t low, uint64_t high);
void stack_check_ends(const struct fiber *f);

uint32_t stack_check_owner(uint64_t address);
void stack_check_take_cells(void);
void memory_mark_stack(uint64_t low, uint64_t high, bool ended);

/* ---- locks: with mode_is(CHECK) only ---- */

/* Most misuse goes unnoticed without a check, so the tool may want the execution to go on behind it. */
#define LOCK_MISUSE(...)                                                                                               \
	do {                                                                                                           \
		if (!memory_tolerates(0, VIOLATION_LOCK))                                                              \
			ending_fail(ENDING_LOCK, __VA_ARGS__);                                                         \
	} while (0)

/* A fiber that waits for an object in this memory and has not been woken, or NULL. */
const struct fiber *lock_check_waiter(uint64_t low, uint64_t high);

void lock_check_unlock_mutex(const void *mutex);
void lock_check_wait(const void *mutex); /* for a condition */
void lock_check_unlock_rwlock(const void *lock);
void lock_check_unlock_spin(const volatile int *lock);
void lock_check_destroy_mutex(const void *mutex);
void lock_check_destroy_rwlock(const void *lock);
void lock_check_destroy_cond(const void *cond);

#endif
