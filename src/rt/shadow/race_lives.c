/*
 * Lives of memory: an allocation forgets what happened to the memory before, and a free is a write to all of it.  And
 * the sweep, which forgets old accesses when the segment ids are used up.
 */
#include <sys/mman.h>

#include "rt/core/arch/x86_64/raw.h"
#include "rt/core/maps.h"
#include "rt/core/op.h"
#include "rt/core/regions.h"
#include "rt/core/undo.h"
#include "rt/shadow/above.h"
#include "rt/shadow/cells.h"
#include "rt/shadow/race_record.h"
#include "rt/shadow/race_table.h"

/* ---- new lives ---- */

static void clear_link(uint64_t address, void *arg)
{
	uint32_t *link = overflow_find(address);
	struct record *r = record_of(link);

	(void)arg;
	shadow_forget_load(address);
	shadow_forget_use(address);
	if (r)
		record_drop(link, r);
	if (*link & OBJECT)
		order_forget(address);
	*link = 0;
	overflow_leave(address);
}

static void clear(uint64_t address, uint64_t size)
{
	overflow_visit(address, address + size, clear_link, NULL);
	for (uint64_t at = address & ~7ul; omen.cells_used && at < address + size; at += 8)
		*omen_cell(at) = (struct omen_cell){0};
}

void shadow_clear(uint64_t address, uint64_t size)
{
	race_forget_benign(address, address + size);
	if (!mode_is(DETECT) || omen.off)
		return;
	OP(BORN, .object = (const void *)address, .size = size);
	uint64_t low_page = (address + 4095) & ~4095ul, high_page = (address + size) & ~4095ul;
	if (size >= LARGE && low_page < high_page) { /* pages that were never touched stay untouched */
		shadow_unmapped(low_page, high_page);
		clear(address, low_page - address);
		clear(high_page, address + size - high_page);
	} else {
		clear(address, size);
	}
}

void shadow_unmapped(uint64_t low, uint64_t high)
{
	if (!mode_is(DETECT))
		return;
	OP(BORN, .object = (const void *)low, .size = high - low);
	if (omen.cells_used)
		undo_drop((uint64_t)omen_cell(low), (high - low) * 2);
	overflow_visit(low, high, clear_link, NULL);
}

void shadow_mark_object(uint64_t address)
{
	if (address >> 47 == 0)
		*overflow_use(address & ~7ul) |= OBJECT;
}

/* ---- when the segment ids are used up ---- */

/*
 * Returns 0 for a half that can no longer race with anything.  Any other half stays as it is, and its granule stays in
 * use.
 */
static uint32_t sweep_half(uint32_t half, uint64_t *kept)
{
	if (!BYTES(half) || clock_is_past(SEGMENT(half)))
		return 0;
	clock_keep(SEGMENT(half), kept);
	return half;
}

static void sweep_record(uint64_t address, void *arg)
{
	uint32_t *link = overflow_find(address), n = 0;
	struct record *r = record_of(link);
	uint64_t *kept = arg;

	shadow_forget_load(address);
	for (uint32_t i = 0; r && i < r->n; i++)
		if (sweep_half(r->past[i].half, kept))
			r->past[n++] = r->past[i];
	if (r)
		r->n = n;
	if (r && !n)
		record_drop(link, r);
	overflow_leave(address);
}

static void sweep_page(uint64_t low, void *arg)
{
	uint64_t *kept = arg;

	for (uint64_t at = low; at < low + 4096; at += 8) {
		struct omen_cell *c = omen_cell(at);
		c->write = sweep_half(c->write, kept);
		c->read = sweep_half(c->read, kept);
		c->other_write = sweep_half(c->other_write, kept);
		c->other_read = sweep_half(c->other_read, kept);
	}
}

static void free_linked(uint64_t address, void *site) { shadow_access(address, 8, ACCESS_WRITE | ACCESS_FREE, site); }
static void free_page(uint64_t page, void *site) { shadow_access(page, 4096, ACCESS_WRITE | ACCESS_FREE, site); }

void shadow_freed(uint64_t address, uint64_t size)
{
	uint64_t low_page = (address + 4095) & ~4095ul, high_page = (address + size) & ~4095ul;

	if (size < LARGE || mode_is(EXPLAIN) || mode_is(PREDICT) || low_page >= high_page) {
		shadow_access(address, size, ACCESS_WRITE | ACCESS_FREE, NULL);
		return;
	}
	shadow_access(address, low_page - address, ACCESS_WRITE | ACCESS_FREE, NULL);
	overflow_visit(low_page, high_page, free_linked, NULL);
	if (omen.cells_used)
		cells_visit(low_page, high_page, free_page, NULL);
	shadow_access(high_page, address + size - high_page, ACCESS_WRITE | ACCESS_FREE, NULL);
}

bool shadow_sweep(uint64_t *kept)
{
	bool ok = maps_read();
	struct mapping m;
	uint64_t low, high;

	while (ok && maps_next(&m)) {
		bool ours = !m.writable || m.low == BOARD_ADDRESS || m.low == ARENA_ADDRESS ||
		            m.low == SEGMENTS_ADDRESS || m.low == MEMORY_STATES;
		for (uint32_t i = 0; cells_range(i, &low, &high); i++)
			ours = ours || (m.low >= low && m.low < high);
		if (ours)
			continue;
		overflow_visit(m.low, m.high, sweep_record, kept);
		ok = !omen.cells_used || cells_visit(m.low, m.high, sweep_page, kept);
	}
	return ok;
}
