/* An execution run again to explain its races: everything about the accesses to the bytes that raced. */
#ifndef OMEN_EXPLAIN_H
#define OMEN_EXPLAIN_H

#include "rt/core/rt.h"

/* As in race_check.h and heap.c; only while mode_is(EXPLAIN). */
void explain_access(uint64_t address, uint64_t size, uint32_t flags, const struct omen_site *site);
void explain_clear(uint64_t address, uint64_t size);
void explain_allocated(uint64_t address, uint64_t size);

/* The running fiber has made the access that it told about last. */
void explain_settle(void);

/*
 * Before anything is accessed.  Nothing else is in cells here, so they can say where watched bytes are: the inline test
 * of all other accesses succeeds with a stamp of 0.  The cells beside them are marked as well: there the test looks if
 * a structure is not aligned as its type says.
 */
void explain_start(void);

/* Segment ids are used up: sets the bits of those that are still in use (clock_keep). */
void explain_sweep(uint64_t *kept);

/* The running fiber is about to make another; it has. */
void explain_creating(void);
void explain_created(const struct fiber *f);

#endif
