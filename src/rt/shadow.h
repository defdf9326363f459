/* Who accessed which bytes last: the race check of every access. */
#ifndef OMEN_SHADOW_H
#define OMEN_SHADOW_H

#include "rt/rt.h"

/* A cell's twin: what does not fit into the cell. */
struct twin {
	uint32_t link; /* shadow.c */
	uint32_t read; /* another reader, as in the cell */
};

#define TWINS     (3ul << 45) /* these bits of an address turned over: the cell's twin */
#define BITS      0x680000000000ul
#define BITS_SIZE (1ul << 41)

static inline struct twin *twin_of(uint64_t address) { return (struct twin *)((address & ~7ul) ^ TWINS); }

/* A bit for each cell: its twin is in use. */
static inline bool has_twin(uint64_t address)
{
	return ((const uint8_t *)BITS)[address >> 6] >> (address >> 3 & 7) & 1;
}

/* Memory that is read by two: is the running fiber the one whom the twin has? */
static inline bool shadow_other_reader(uint64_t address, unsigned size)
{
	uint32_t bytes = ((1u << size) - 1) << (address & 7);

	return has_twin(address) && bytes <= OMEN_CELL_BYTES &&
	       !((twin_of(address)->read ^ omen_hot->stamp) & (~OMEN_CELL_BYTES | bytes));
}

/* Reserves the cells; before anything is checked. */
void shadow_start(void);

/* The running fiber accesses memory; flags: ACCESS_WRITE, ACCESS_ATOMIC, ACCESS_FREE. */
void shadow_access(uint64_t address, uint64_t size, uint32_t flags, const struct omen_site *site);

/* The same for library calls and copies, by instrumented code or on its behalf. */
void shadow_range_read(const void *address, size_t size, const struct omen_site *site);
void shadow_range_write(void *address, size_t size, const struct omen_site *site);

/* Memory begins a new life: nothing that happened to it counts. The second: whole mappings. */
void shadow_clear(uint64_t address, uint64_t size);
void shadow_unmapped(uint64_t low, uint64_t high);
/* New memory of the program: has it cells? */
void shadow_mapped(uint64_t low, uint64_t high);

/* The 8 bytes at `address` hold something that orders (order.c wants to know of their end). */
void shadow_mark_object(uint64_t address);

/* All segment ids are used up: forgets what happened before all that lives, and returns a pair that is free. */
uint32_t shadow_free_segment(void);

/* The memory reserved for all this, range by range; false after the last. */
bool shadow_range(uint32_t i, uint64_t *low, uint64_t *high);

#endif
