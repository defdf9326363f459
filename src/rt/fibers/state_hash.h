/*
 * The state of the program: its memory, and the registers and the stack of every fiber.  It is compared by hashes; what
 * is in them and why that is all of it stands in docs/design.md, "States".
 */
#ifndef OMEN_STATE_HASH_H
#define OMEN_STATE_HASH_H

#include "rt/core/rt.h"

static inline uint64_t state_mix(uint64_t h, uint64_t v)
{
	h = (h ^ v) * 0x9fb21c651e98df25u;
	return h ^ h >> 32;
}

/* A hash of [low, high), whole words of it, and of h. */
uint64_t state_hash(uint64_t h, uint64_t low, uint64_t high);

/* ---- memory ---- */

/* Looks for all memory that the program can write, outside the stacks. False: others write it too, or it is too much.
 */
bool state_find_memory(void);
/* But for what the C library knows of `f`: a wait changes it. */
bool state_find_memory_but(const struct fiber *f);
uint64_t state_memory_size(void);
/* A hash of what is in it. */
uint64_t state_memory(void);

/* ---- fibers ---- */

/* Where the running fiber is, within sched_point() or sched_access(). */
void state_note(struct stand *p);

/* A hash of h, of the stack of a fiber and of its registers: at the place noted, or where it was switched away. */
uint64_t state_fiber(uint64_t h, const struct fiber *f, const struct stand *p);

/*
 * Leaves nothing behind: what the runtime had in the vector registers and on the stack below would be in the state
 * otherwise, though it means nothing.
 */
void state_tidy(void);

#endif
