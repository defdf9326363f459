/* Who accessed which bytes last: the race check of every access. */
#ifndef OMEN_SHADOW_H
#define OMEN_SHADOW_H

#include "rt/rt.h"

/* A cell's twin: what does not fit into the cell. */
struct twin {
	uint32_t write, read; /* more of the same */
	uint32_t link;        /* shadow.c */
	uint32_t unused;
};

#define BITS      0x680000000000ul
#define BITS_SIZE (1ul << 41)

/* The three places of memory have three of twins; others are not reserved in advance. */
static inline struct twin *twin_of(uint64_t address)
{
	uint64_t base = address < 1ul << 44          ? 0x600000000000ul
	                : address < 0x600000000000ul ? 0x200000000000ul
	                                             : 0x300000000000ul;
	return (struct twin *)(base + (address & 0x3fffffffff8ul) * 2);
}

/* A bit for each cell: its twin is in use. */
static inline bool has_twin(uint64_t address)
{
	return ((const uint8_t *)BITS)[address >> 6] >> (address >> 3 & 7) & 1;
}

/* The running segment's half of a twin takes the place where the inline test looks; what was there goes to the twin. */
static inline bool shadow_swap(uint64_t address, uint32_t *half, uint32_t mask, bool write)
{
	if (!has_twin(address))
		return false;
	struct twin *t = twin_of(address);
	uint32_t *other = write ? &t->write : &t->read, was = *half;
	if ((*other ^ omen_hot->stamp) & mask)
		return false;
	*half = *other;
	*other = was;
	return true;
}

/*
 * Has the running segment been here in the same way, only not where the inline test looks: beyond the first cell, or in
 * a twin?  So it is with unaligned accesses, and with memory that two fibers read by turns.
 */
static inline bool shadow_knows(uint64_t address, uint64_t size, bool write)
{
	for (uint64_t end = address + size; address < end;) {
		uint64_t offset = address & 7, n = 8 - offset < end - address ? 8 - offset : end - address;
		uint32_t mask = ~OMEN_CELL_BYTES | ((1u << n) - 1) << offset;
		struct omen_cell *c = omen_cell(address);
		uint32_t *half = write ? &c->write : &c->read;

		if (((*half ^ omen_hot->stamp) & mask) && !shadow_swap(address, half, mask, write))
			return false;
		address += n;
	}
	return true;
}

/* Reserves the cells; before anything is checked. */
void shadow_start(void);

/* The running fiber accesses memory; flags: ACCESS_WRITE, ACCESS_ATOMIC, ACCESS_FREE. */
void shadow_access(uint64_t address, uint64_t size, uint32_t flags, const struct omen_site *site);

/* The same for a plain access to `bytes` of 8, for instrumented code: omen.detecting, and neither off nor watch_all. */
void shadow_read(uint64_t address, uint32_t bytes, const struct omen_site *site);
void shadow_write(uint64_t address, uint32_t bytes, const struct omen_site *site);

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

/* Forgets everything that is past, and sets a bit in `kept` for each pair of segment ids that is still in use. */
bool shadow_sweep(uint64_t *kept);

/* The memory reserved for all this, range by range; false after the last. */
bool shadow_range(uint32_t i, uint64_t *low, uint64_t *high);

#endif
