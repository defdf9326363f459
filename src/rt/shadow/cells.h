/*
 * The memory reserved for the race check: cells and links for all places where programs have memory, a bit for each
 * link, and the masks of the inline test.  For the detector, for memory checks, and for the rooms that map memory or
 * handle faults.
 */
#ifndef OMEN_CELLS_H
#define OMEN_CELLS_H

#include "rt/core/rt.h"

/* Reserves the memory, and lets instrumented code find the cells. */
void cells_start(void);

/* Something is going to be watched: makes the cells accessible. */
void cells_open(void);
/* Nothing is watched for now: makes them inaccessible again.  Only while little is in them. */
void cells_close(void);
/* Makes cells accessible that are not open, for the rewinder, and no more. */
void cells_show(void);
void cells_hide(void);

/* Are there cells for this address?  If not, there was never memory. */
bool cells_are_of(uint64_t address);
bool cells_are_of_all(uint64_t first, uint64_t last); /* of one access */

/* The program has new memory: gives it cells if it has none. */
void cells_mapped(uint64_t low, uint64_t high);

/*
 * Was the fault of this code at this address made by an inline test, for memory that does not exist?  Then the cells
 * exist now, and the access itself will fault.
 */
bool cells_fault(const uint8_t *code, uint64_t address);

/*
 * Calls `visit` for each page of memory that ever had something in its cells: /proc/self/pagemap has a word for each
 * page, 0 where there is none.  False if the file cannot be read.
 */
bool cells_visit(uint64_t low, uint64_t high, void (*visit)(uint64_t page, void *arg), void *arg);

/* Empties all cells for another use: races are not looked for any more. */
void cells_forget(void);

/* The reserved memory, range by range; false after the last one. */
bool cells_range(uint32_t i, uint64_t *low, uint64_t *high);

#endif
