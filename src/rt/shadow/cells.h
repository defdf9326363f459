/*
 * The memory reserved for the race check: cells and links for all places where programs have memory, a bit for each
 * link, and the masks of the inline test.
 */
#ifndef OMEN_CELLS_H
#define OMEN_CELLS_H

#include "rt/core/rt.h"

/* Reserves it, and lets instrumented code find the cells. */
void cells_start(void);

/* Something is going to be watched: from now on they can be accessed. */
void cells_open(void);
/* Nothing is, for now: the same the other way round, where little is in them yet. */
void cells_close(void);

/* Are there cells for this address?  If not, there has never been memory. */
bool cells_are_of(uint64_t address);
bool cells_are_of_all(uint64_t first, uint64_t last); /* of one access */

/* New memory of the program: has it cells? */
void cells_mapped(uint64_t low, uint64_t high);

/*
 * A fault of this code at this address was an inline test's, of memory that is not there: now it has cells, and the
 * access will fault itself.
 */
bool cells_fault(const uint8_t *code, uint64_t address);

/*
 * Calls `visit` for each page of memory that has ever had something in its cells: /proc/self/pagemap has a word a page,
 * 0 where there is none.  False if that cannot be told.
 */
bool cells_visit(uint64_t low, uint64_t high, void (*visit)(uint64_t page, void *arg), void *arg);

/* All cells are empty, and somebody else's: races are not looked for any more. */
void cells_forget(void);

/* The reserved memory, range by range; false after the last. */
bool cells_range(uint32_t i, uint64_t *low, uint64_t *high);

#endif
