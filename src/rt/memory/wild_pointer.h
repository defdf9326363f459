/*
 * Memory that is the runtime's own.  For the program there is nothing: an access to it is a wild pointer, and gets the
 * fault that would come without Omen.  For hooks and interposed functions.
 *
 * Plain accesses of instrumented code are checked in their slow hook, which the first access to a cell enters while
 * anything is watched.  While nothing is watched, the cells are not accessible (cells.c).
 */
#ifndef OMEN_WILD_POINTER_H
#define OMEN_WILD_POINTER_H

#include <ucontext.h>

#include "rt/clock/clock.h"
#include "rt/core/rt.h"

/*
 * May the address be the runtime's?  Two ranges, by the bits from 40 on, contain all of it but the hot page and the
 * segments before it.
 */
static inline bool wild_maybe(uint64_t address)
{
	uint8_t top = (uint8_t)(address >> 40);

	return unlikely((uint8_t)(top - 0x10) < 0x45 || (uint8_t)(top - 0x58) < 0x22 ||
	                address - SEGMENTS_ADDRESS < 0x100000);
}

/* Is any of this memory the runtime's? */
bool wild_covers(uint64_t low, uint64_t high);

/* The program accesses this memory: makes a fault there if it is the runtime's. */
void wild_check(uint64_t address, uint64_t size);

static inline void wild_access(const volatile void *address, uint64_t size)
{
	if (wild_maybe((uint64_t)address) || wild_maybe((uint64_t)address + size - 1))
		wild_check((uint64_t)address, size);
}

/* Could the kernel read 8 bytes here?  Costs nothing if it could. */
bool wild_is_readable(const void *p);

/* Handles a fault of wild_is_readable(): the context goes on with the answer.  False: it is another fault. */
bool wild_fault(ucontext_t *uc);

/* The address of the program's access that the fault at `address` stands for; 0: it stands for none. */
uint64_t wild_meant(uint64_t address);

#endif
