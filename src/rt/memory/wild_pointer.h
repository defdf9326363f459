/*
 * Memory that is the runtime's own.  To the program there is nothing: who accesses it has a wild pointer, and gets the
 * fault that would come without Omen.
 *
 * Plain accesses of instrumented code are looked at where they come to their slow hook, which the first one to a cell
 * does while anything is watched; while nothing is, the cells are not accessible (cells.c).
 */
#ifndef OMEN_WILD_POINTER_H
#define OMEN_WILD_POINTER_H

#include <ucontext.h>

#include "rt/clock/clock.h"
#include "rt/core/rt.h"

/* Two stretches that hold all of it, by the bits from 40 on, and the hot page with the segments before it. */
static inline bool wild_maybe(uint64_t address)
{
	uint8_t top = (uint8_t)(address >> 40);

	return unlikely((uint8_t)(top - 0x10) < 0x45 || (uint8_t)(top - 0x58) < 0x22 ||
	                address - SEGMENTS_ADDRESS < 0x100000);
}

/* Is any of it the runtime's? */
bool wild_covers(uint64_t low, uint64_t high);

/* The program accesses this: a fault at it, if it is the runtime's. */
void wild_check(uint64_t address, uint64_t size);

static inline void wild_access(const volatile void *address, uint64_t size)
{
	if (wild_maybe((uint64_t)address) || wild_maybe((uint64_t)address + size - 1))
		wild_check((uint64_t)address, size);
}

/* Could the kernel read 8 bytes here?  Costs nothing unless it could not. */
bool wild_is_readable(const void *p);

/* A fault of the above; the context goes on with the answer. */
bool wild_fault(ucontext_t *uc);

/* The fault at this address stands for one of the program's, at the address that is returned; 0: it does not. */
uint64_t wild_meant(uint64_t address);

#endif
