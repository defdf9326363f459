/*
 * Links: what there is to remember of 8 bytes of memory besides their cell, as a number that race_check.c gives a
 * meaning to.
 *
 * Few have one.  Where all accesses are put on record the program is small and runs often: then links stand in a hash
 * table in the runtime's own memory.  Otherwise they have places of their own, found by one expression, and a bit for
 * each 8 bytes says whether to look there.
 */
#ifndef OMEN_OVERFLOW_H
#define OMEN_OVERFLOW_H

#include "rt/core/rt.h"

#define LINKS     0x580000000000ul
#define BITS      0x680000000000ul
#define BITS_SIZE (1ul << 41)

static inline uint32_t *link_place(uint64_t address) { return (uint32_t *)(LINKS + (address & OMEN_CELL_BITS) / 2); }

/* Not for hashed links, which are only asked for where there will be one. */
static inline bool link_is_used(uint64_t address)
{
	return ((const uint8_t *)BITS)[address >> 6] >> (address >> 3 & 7) & 1;
}

static inline void link_mark(uint64_t address)
{
	((uint8_t *)BITS)[address >> 6] |= (uint8_t)(1u << (address >> 3 & 7));
}

/* Once, before all others: are they hashed? */
void link_start(bool hashed);

/* The link of the 8 bytes at `address`; NULL if there is none; and one that is made if there is none. */
uint32_t *link_find(uint64_t address);
uint32_t *link_use(uint64_t address);

/* A link that is 0 is no longer looked for. */
void link_leave(uint64_t address);

/* Calls `visit` for every link from `low` on and below `high`; it may leave links, but not use new ones. */
void link_visit(uint64_t low, uint64_t high, void (*visit)(uint64_t address, void *arg), void *arg);

#endif
