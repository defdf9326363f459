/*
 * Hashes of the program's state: its memory, and the registers and the stack of every fiber.  docs/design.md, "States",
 * says what a hash contains and why that is the whole state.  In: the process's memory and the noted places of its
 * fibers.  Out: a hash.  For endless_loop.c, compare_orders.c, steer.c and modules that check if memory has changed.
 */
#ifndef OMEN_STATE_HASH_H
#define OMEN_STATE_HASH_H

#include "rt/core/rt.h"

static inline uint64_t state_mix(uint64_t h, uint64_t v)
{
	h = (h ^ v) * 0x9fb21c651e98df25u;
	return h ^ h >> 32;
}

/* A hash of h and of the whole words in [low, high). */
uint64_t state_hash(uint64_t h, uint64_t low, uint64_t high);

/* ---- memory ---- */

/*
 * Finds all memory outside the stacks that the program can write.  False: other processes can write it too, or there is
 * too much of it.
 */
bool state_find_memory(void);
/* The same, without the C library's data about `f`: a wait changes them. */
bool state_find_memory_but(const struct fiber *f);
uint64_t state_memory_size(void);
/* A hash of the memory that the last call of state_find_memory() found. */
uint64_t state_memory(void);

/* ---- fibers ---- */

/* Notes the place of the running fiber; called within sched_point() or sched_access(). */
void state_note(struct stand *p);

/* A hash of h and of the stack and the registers of f: at the noted place, or where it was switched away. */
uint64_t state_fiber(uint64_t h, const struct fiber *f, const struct stand *p);

/*
 * Clears what the runtime leaves on the stack below and in the registers that a call need not keep, where orders are
 * compared in vector registers, too.  It is dead, but would be in the state otherwise.
 */
void state_tidy(void);

#endif
