/*
 * The race check: which fiber accessed which bytes last.  Access hooks, atomics, library calls, synchronisation objects
 * and the heap report what the running fiber does to memory; races go to race_table.h.
 */
#ifndef OMEN_RACE_CHECK_H
#define OMEN_RACE_CHECK_H

#include "rt/clock/above.h"
#include "rt/shadow/overflow.h"
#include "rt/core/rt.h"

#define SHADOW_LOWEST 65536 /* below is no memory: the access is about to fault */

/* Can there be memory?  Elsewhere there are neither cells nor links to look at. */
static inline bool shadow_is_place(uint64_t address) { return likely(!((address - SHADOW_LOWEST) >> 47)); }

#define SHADOW_SEGMENT (~(OMEN_CELL_BYTES | OMEN_CELL_MERGED)) /* the segment of a half in a cell */

/* The bytes of its cell that an access of at most 8 bytes has; bits from 8 on are bytes of the next cell. */
static inline uint32_t shadow_bytes(uint64_t address, unsigned size) { return ((1u << size) - 1) << (address & 7); }

/*
 * The running fiber accessed the same bytes in the same way before.  No other fiber has done anything to them since
 * that could matter, or the half would not be where it is (race_check.c).  So the new access replaces the old one.
 * Instrumented code does the same inline.
 */
static inline bool shadow_again(uint32_t *half, uint32_t now)
{
	bool same = *half & OMEN_CELL_MERGED ? !(now & OMEN_CELL_BYTES & ~*half) : !((*half ^ now) & OMEN_CELL_BYTES);

	if (!same || ((*half ^ now) & OMEN_CELL_OWNER))
		return false;
	*half = (now & SHADOW_SEGMENT) | (*half & ~SHADOW_SEGMENT);
	return true;
}

/* If the running segment's half is in the second place, moves it to the first, where the inline test looks. */
static inline bool shadow_swap(uint32_t *half, uint32_t *other, uint32_t mask)
{
	uint32_t was = *half;

	if ((*other ^ omen_hot->stamp) & mask)
		return false;
	*half = *other;
	*other = was;
	return true;
}

/*
 * Has the running segment been here in the same way, but not where the inline test looks: beyond the first cell, or in
 * the second place?  That happens with unaligned accesses, and with memory that two fibers read by turns.
 */
static inline bool shadow_knows(uint64_t address, uint64_t size, bool write)
{
	for (uint64_t end = address + size; address < end;) {
		uint64_t offset = address & 7, n = 8 - offset < end - address ? 8 - offset : end - address;
		uint32_t mask = SHADOW_SEGMENT | ((1u << n) - 1) << offset;
		struct omen_cell *c = omen_cell(address);
		uint32_t *half = write ? &c->write : &c->read, *other = write ? &c->other_write : &c->other_read;

		if (((*half ^ omen_hot->stamp) & mask) && !shadow_swap(half, other, mask))
			return false;
		address += n;
	}
	return true;
}

/* Is the half one that the running fiber (the one of the stamp) cannot race with? */
static inline bool shadow_is_own(uint32_t half, uint32_t stamp) { return !half || !((half ^ stamp) & OMEN_CELL_OWNER); }

/*
 * A fiber that reads bytes beside each other walks through text, and will read the rest of the cell, too.  So the rest
 * counts as read now, if a replay can find out what really was.
 */
static inline bool shadow_walks(uint32_t read, uint32_t bytes)
{
	return mode_is(MERGE) && !(bytes & (bytes - 1)) && (read & OMEN_CELL_BYTES & (bytes << 1 | bytes >> 1));
}

/*
 * The running segment has accessed other bytes of the cell in the same way, and no other fiber has been there: these
 * bytes join them.  That is the case in loops over arrays of small elements.  (Below SHADOW_LOWEST are the masks.)
 */
static inline bool shadow_joins_read(uint64_t address, uint32_t bytes)
{
	struct omen_cell *c = omen_cell(address);
	uint32_t stamp = omen_hot->stamp;

	__asm__("" : "+r"(c)); /* one register for all four halves, not an address for each */
	if (((c->read ^ stamp) & SHADOW_SEGMENT) || bytes > OMEN_CELL_BYTES || !shadow_is_own(c->write, stamp) ||
	    !shadow_is_own(c->other_write, stamp) || !shadow_is_place(address) || overflow_is_used(address))
		return false;
	c->read |= shadow_walks(c->read, bytes) ? OMEN_CELL_BYTES | OMEN_CELL_MERGED : bytes;
	return true;
}

static inline bool shadow_joins_write(uint64_t address, uint32_t bytes)
{
	struct omen_cell *c = omen_cell(address);
	uint32_t stamp = omen_hot->stamp;

	__asm__("" : "+r"(c));
	if (((c->write ^ stamp) & SHADOW_SEGMENT) || bytes > OMEN_CELL_BYTES || !shadow_is_own(c->read, stamp) ||
	    !shadow_is_own(c->other_write, stamp) || !shadow_is_own(c->other_read, stamp) ||
	    !shadow_is_place(address) || overflow_is_used(address))
		return false;
	c->write |= bytes;
	if (mode_is(MERGE) && !((c->read ^ stamp) & SHADOW_SEGMENT))
		c->read |= bytes;
	return true;
}

/*
 * The last atomic load that went on record and had nothing to learn: the same load by the same segment has nothing to
 * learn either.  It is forgotten when something is released there (happens_before.c), or when the record of these 8
 * bytes changes.
 */
extern struct shadow_load {
	uint64_t address;
	const struct omen_site *site;
	uint32_t size, stamp;
} shadow_last_load;

static inline bool shadow_is_last_load(uint64_t address, uint64_t size, const struct omen_site *site)
{
	const struct shadow_load *l = &shadow_last_load;
	return l->address == address && l->site == site && l->size == size && l->stamp == omen_hot->stamp;
}

static inline void shadow_forget_load(uint64_t address)
{
	if (shadow_last_load.address - (address & ~7ul) < 8)
		shadow_last_load = (struct shadow_load){0};
}

/* Called when the load is on record. */
static inline void shadow_set_last_load(uint64_t address, uint64_t size, const struct omen_site *site)
{
	if (mode_is(ONLY_DETECT) && !omen.off && !mode_is(EXPLAIN) && omen_hot->stamp != OMEN_NO_STAMP &&
	    (address & 7) + size <= 8)
		shadow_last_load = (struct shadow_load){address, site, (uint32_t)size, omen_hot->stamp};
}

/*
 * Are all accesses put on record, with their sites?  The answer holds for the whole execution: yes where plain accesses
 * are points, or if the tool asks for it.
 */
static inline bool shadow_is_precise(void)
{
	const struct board_config *c = omen.board ? &omen.board->config : NULL;
	return c && (c->access_points || c->detect > DETECT_RACES);
}

/* Before anything is checked. */
void shadow_start(void);

/* The running fiber accesses memory. flags: ACCESS_WRITE, ACCESS_ATOMIC, ACCESS_FREE. */
void shadow_access(uint64_t address, uint64_t size, uint32_t flags, const struct omen_site *site);

/* The same for a synchronisation object (sync_object.h): only the detector learns of it. */
void shadow_object(uint64_t address, uint64_t size, uint32_t flags);

/* The same for a plain access where every access enters its slow hook: most accesses tell nothing new. */
static inline void shadow_plain(uint64_t address, uint64_t size, uint32_t flags, const struct omen_site *site)
{

	if (!mode_any(MODES_WITH_EACH_ACCESS) &&
	    (!mode_is(DETECT) || (shadow_is_place(address) && shadow_knows(address, size, flags & ACCESS_WRITE))))
		return;
	shadow_access(address, size, flags, site);
}

/*
 * The same for a plain access to `bytes` of 8, for instrumented code.  Only with mode_is(DETECT), and with neither
 * `off` nor mode_is(ALL_SLOW).
 */
void shadow_read(uint64_t address, uint32_t bytes, const struct omen_site *site);
void shadow_write(uint64_t address, uint32_t bytes, const struct omen_site *site);
void shadow_read_across(uint64_t address, unsigned size, const struct omen_site *site); /* two cells */

/* The same for library calls and copies, by instrumented code or on its behalf. */
static inline void shadow_range_read(const void *address, size_t size, const struct omen_site *site)
{
	shadow_access((uint64_t)address, size, 0, site);
}
static inline void shadow_range_write(void *address, size_t size, const struct omen_site *site)
{
	shadow_access((uint64_t)address, size, ACCESS_WRITE, site);
}

/* The running fiber frees memory: a write to all of it. */
void shadow_freed(uint64_t address, uint64_t size);
#define LARGE (128ul << 10) /* from here on memory may be sparse: pages never touched stay so */

/* Memory begins a new life: nothing that happened to it counts. shadow_unmapped: for whole mappings. */
void shadow_clear(uint64_t address, uint64_t size);
void shadow_unmapped(uint64_t low, uint64_t high);

/* The 8 bytes at `address` hold something that orders (happens_before.c must learn of their end). */
void shadow_mark_object(uint64_t address);

#endif
