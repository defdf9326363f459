/*
 * Links: what the detector remembers of 8 bytes of memory besides their cell, as a number whose meaning only
 * race_check.c knows.
 *
 * Few addresses have a link.  Where all accesses are put on record, the program is small and its executions are many:
 * then links stand in a hash table in the runtime's own memory.  Otherwise they have places of their own, found by one
 * expression, and a bit for each 8 bytes says whether to look there.
 */
#ifndef OMEN_OVERFLOW_H
#define OMEN_OVERFLOW_H

#include "rt/core/rt.h"

#define LINKS     0x580000000000ul
#define BITS      0x680000000000ul
#define BITS_SIZE (1ul << 41)

static inline uint32_t *overflow_place(uint64_t address)
{
	return (uint32_t *)(LINKS + (address & OMEN_CELL_BITS) / 2);
}

/* Has the address a link?  Not for hashed links, which are looked up only where one is about to be made. */
static inline bool overflow_is_used(uint64_t address)
{
	return ((const uint8_t *)BITS)[address >> 6] >> (address >> 3 & 7) & 1;
}

static inline void overflow_mark(uint64_t address)
{
	((uint8_t *)BITS)[address >> 6] |= (uint8_t)(1u << (address >> 3 & 7));
}

/* Once, before all others: are links hashed? */
void overflow_start(bool hashed);

/* The link of the 8 bytes at `address`.  If there is none, overflow_find returns NULL and overflow_use makes one. */
uint32_t *overflow_find(uint64_t address);
uint32_t *overflow_use(uint64_t address);

/* Unmarks a link that is 0, so that it is no longer looked for. */
void overflow_leave(uint64_t address);

/* Calls `visit` for every link in [low, high).  `visit` may call overflow_leave(), but not overflow_use(). */
void overflow_visit(uint64_t low, uint64_t high, void (*visit)(uint64_t address, void *arg), void *arg);

#endif
