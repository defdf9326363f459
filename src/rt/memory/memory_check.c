/*
 * Which memory an access may touch.
 *
 * A state byte for every 8 bytes of memory says what is known of them: nothing (they are fine), only the first few are
 * fine, they stand before or behind a block of the heap, they are in a freed block, they are the beginning of a
 * destroyed synchronisation object, or they are on the stack of a thread that has ended.  Blocks stay where the C
 * library puts them.  A block is guarded by the C library's header before it and by what the C library has rounded up
 * behind it.  So an execution that is checked has the addresses of one that is not, unless freed blocks are kept for a
 * while (CHECK_FULL).
 *
 * Memory that nothing is known of is fine: that of other allocators and of mmap, variables, stacks.
 */
#include "rt/fibers/above.h"
#include "rt/core/undo.h"
#include "rt/core/op.h"
#include "rt/memory/memory_parts.h"

#include <link.h>
#include <string.h>
#include <sys/mman.h>
#include <unwind.h>

#include "rt/core/arch/x86_64/raw.h"
#include "rt/shadow/cells.h"
#include "rt/clock/clock.h"
#include "rt/core/pool.h"
#include "rt/shadow/race_check.h"
#include "rt/core/text.h"

#define PAGES     (64ul << 10) /* from this many states on whole pages of them are cleared */
#define KEPT      10000        /* freed blocks that are kept, */
#define KEPT_SIZE (64ul << 20) /* and bytes of them */
#define LARGE_ONE (16ul << 20) /* not kept: a few would push all others out */
#define FAR       (64ul << 20) /* how far below an address the beginning of its block is looked for */
#define FULL      20000        /* blocks whose stacks are kept; of later ones only the caller */
#define FRAMES    24
#define HIDDEN    256
#define CELL_PAGE 2048ul /* memory whose cells fill a page */

static struct {
	struct block *at; /* for every address that ever had a block: the last block there */
	uint32_t n, room;
	uint32_t traced;
	bool keeps, brief; /* brief: of allocations and frees only the thread is noted */
	struct {
		void *block;
		uint64_t size;
	} kept[KEPT]; /* the oldest one is at `first` */
	uint32_t first, nkept;
	uint64_t kept_size;
	uint64_t heap_end;
	struct extent {
		uint64_t low, high;
	} hidden[HIDDEN]; /* memory whose cells are inaccessible: see hide() */
	uint32_t nhidden;
} state;

void memory_start(void)
{
	uint32_t check = omen.board ? omen.board->config.check : CHECK_OFF;

	if (check == CHECK_OFF)
		return;
	long at = raw6(SYS_mmap, MEMORY_STATES, MEMORY_STATES_SIZE, PROT_READ | PROT_WRITE,
	               MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
	if (at != (long)MEMORY_STATES)
		text_die("cannot reserve memory for the check of accesses; is the address space limited (ulimit -v)?");
	raw3(SYS_madvise, MEMORY_STATES, MEMORY_STATES_SIZE, MADV_DONTDUMP);
	state.keeps = check == CHECK_FULL;
	state.heap_end = (uint64_t)raw1(SYS_brk, 0);
	mode_set(CHECK, true);
}

void memory_leave(void)
{
	mode_set(CHECK, false);
	mode_set(INVARIANT_OPEN, false);
}
void memory_depart(void) { state.keeps = mode_is(CHECK); }

/* New segments for all fibers: cells may say of freed memory that the running segment has accessed it. */
void memory_explore(void) { clock_release_all(); }

bool memory_keeps_freed(void) { return state.keeps; }
void memory_be_brief(bool brief) { state.brief = brief; }

/* ---- states ---- */

/* The bytes of these 8 whose accesses must enter their slow hook: the bad ones and those of the race. */
static uint32_t bytes_in_cell(uint64_t at)
{
	uint8_t what = *memory_state_of(at);
	uint32_t bad = what == FINE ? 0 : what < 8 ? OMEN_CELL_BYTES << what & OMEN_CELL_BYTES : OMEN_CELL_BYTES;

	return at == omen.race.address ? bad | (uint32_t)omen.race.bytes : bad;
}

static void show(uint64_t low, uint64_t high)
{
	for (uint64_t at = low & ~7ul; at < high; at += 8) {
		uint32_t bytes = bytes_in_cell(at);
		struct omen_cell *c = omen_cell(at);
		if (c->write != bytes || c->read != bytes)
			*c = (struct omen_cell){.write = bytes, .read = bytes};
	}
}

static void protect(uint64_t low, uint64_t high, int protection)
{
	raw3(SYS_mprotect, omen_cell(low), (high - low) * 2, protection);
}

static void protect_all(int protection)
{
	for (uint32_t i = 0; i < state.nhidden; i++)
		protect(state.hidden[i].low, state.hidden[i].high, protection);
}

void memory_show_cells(void) { protect_all(PROT_READ | PROT_WRITE); }
void memory_hide_cells(void) { protect_all(PROT_NONE); }

/* Makes cells accessible again.  They are wrong until show() has written them. */
static struct extent reveal(uint32_t i)
{
	struct extent e = state.hidden[i];

	state.hidden[i] = state.hidden[--state.nhidden];
	protect(e.low, e.high, PROT_READ | PROT_WRITE);
	return e;
}

/* The state of these bytes changes.  Reveals hidden cells among them, and shows the rest of the extents revealed. */
static void reveal_all(uint64_t low, uint64_t high)
{
	for (uint32_t i = 0; i < state.nhidden;) {
		if (state.hidden[i].high <= low || high <= state.hidden[i].low) {
			i++;
			continue;
		}
		struct extent e = reveal(i);
		show(e.low, low < e.high ? low : e.high);
		show(high > e.low ? high : e.low, e.high);
	}
}

/*
 * The cells of a large freed block are whole pages that only this marking would touch, and they are hardly ever looked
 * at again: marking them took a fifth of an execution of pbzip2.  So they are made inaccessible, and marked when they
 * are looked at.
 */
static bool hide(uint64_t low, uint64_t high)
{
	uint64_t from = (low + CELL_PAGE - 1) & ~(CELL_PAGE - 1), to = high & ~(CELL_PAGE - 1);

	if (high - low < PAGES || state.nhidden == HIDDEN)
		return false;
	reveal_all(low, high);
	show(low, from);
	show(to, high);
	protect(from, to, PROT_NONE);
	state.hidden[state.nhidden++] = (struct extent){from, to};
	return true;
}

bool memory_fault(uint64_t address)
{
	for (uint32_t i = 0; i < state.nhidden; i++) {
		uint64_t first = (uint64_t)omen_cell(state.hidden[i].low);
		if (address - first >= (state.hidden[i].high - state.hidden[i].low) * 2)
			continue;
		struct extent e = reveal(i);
		show(e.low, e.high);
		return true;
	}
	return false;
}

/*
 * Where the detector has the cells, a cell may say that the running segment has accessed these bytes.  Removes that, so
 * that the next access enters its slow hook.  The write that a free made stays.
 */
static void forget_bytes(uint64_t low, uint64_t high)
{
	for (uint64_t at = low & ~7ul; omen.cells_used && !mode_is(CHECK_IN_CELLS) && at < high; at += 8) {
		uint32_t kept = ~bytes_in_cell(at);
		struct omen_cell *c = omen_cell(at);
		if (kept == ~0u || !(c->write | c->read | c->other_write | c->other_read))
			continue;
		c->read &= kept;
		c->other_read &= kept;
		if (*memory_state_of(at) == FREED)
			continue;
		c->write &= kept;
		c->other_write &= kept;
	}
}

static void changed(uint64_t low, uint64_t high)
{
	if (mode_is(EXPLORE))
		forget_bytes(low, high);
	if (!mode_is(CHECK_IN_CELLS))
		return;
	if (state.nhidden)
		reveal_all(low, high);
	show(low, high);
}

static void set(uint64_t low, uint64_t high, uint8_t what)
{
	memset(memory_state_of(low), what, (high - low) >> 3);
	if (what == FREED && mode_is(CHECK_IN_CELLS) && hide(low, high))
		return;
	changed(low, high);
}

static void set_one(uint64_t at, uint8_t what)
{
	*memory_state_of(at) = what;
	changed(at, at + 8);
}

/* Sets states to FINE. Pages of states that were never touched stay so. */
static void clear_states(uint64_t low, uint64_t high)
{
	uint64_t from = (uint64_t)memory_state_of(low), to = (uint64_t)memory_state_of(high + 7);
	uint64_t low_page = (from + 4095) & ~4095ul, high_page = to & ~4095ul;

	if (to - from < PAGES) {
		memset((void *)from, FINE, to - from);
		return;
	}
	memset((void *)from, FINE, low_page - from);
	undo_drop(low_page, high_page - low_page);
	memset((void *)high_page, FINE, to - high_page);
}

static void clear(uint64_t low, uint64_t high)
{
	uint64_t low_page = (low + 4095) & ~4095ul, high_page = high & ~4095ul;

	clear_states(low, high);
	if (!mode_is(CHECK_IN_CELLS))
		return;
	if (state.nhidden)
		reveal_all(low, high);
	if (high - low < PAGES) {
		show(low, high);
		return;
	}
	show(low, low_page);
	undo_drop((uint64_t)omen_cell(low_page), (high_page - low_page) * 2);
	show(high_page, high);
	if (omen.race.address - low < high - low)
		show(omen.race.address, omen.race.address + 8);
}

void memory_unmapped(uint64_t low, uint64_t high)
{
	if (mode_is(CHECK) && low < high && high <= MEMORY_END)
		clear(low, high);
}

void memory_break(uint64_t end)
{
	if (mode_is(CHECK) && end < state.heap_end)
		memory_unmapped((end + 7) & ~7ul, state.heap_end);
	state.heap_end = end;
}

/* ---- blocks ---- */

static struct block *place_of(uint64_t address)
{
	uint32_t i = (uint32_t)((address >> 4) * 0x9e3779b97f4a7c15u >> 32);

	while (state.at[i & (state.room - 1)].address && state.at[i & (state.room - 1)].address != address)
		i++;
	return &state.at[i & (state.room - 1)];
}

static void grow(void)
{
	struct block *old = state.at;
	uint32_t room = state.room;

	state.room = room ? 4 * room : 256;
	state.at = pool_alloc(state.room * sizeof(*state.at));
	memset(state.at, 0, state.room * sizeof(*state.at));
	for (uint32_t i = 0; i < room; i++)
		if (old[i].address)
			*place_of(old[i].address) = old[i];
	if (old)
		pool_free(old, room * sizeof(*old));
}

struct block *memory_block_at(uint64_t address)
{
	if (4 * state.n >= 3 * state.room)
		grow();
	struct block *b = place_of(address);
	if (!b->address) {
		b->address = address;
		state.n++;
	}
	return b;
}

/*
 * The block that these 8 bytes belong to, found by the BEFORE state in front of it.  NULL if that is too far away, or
 * none.
 */
struct block *memory_block_below(uint64_t address)
{
	uint64_t lowest = address > FAR ? address - FAR : SHADOW_LOWEST;

	for (uint64_t at = address & ~7ul; at >= lowest && state.room; at -= 8) {
		if (*memory_state_of(at) != BEFORE)
			continue;
		struct block *b = place_of(at + 8);
		return b->address ? b : NULL;
	}
	return NULL;
}

static size_t trace_size(uint32_t depth) { return sizeof(struct trace) + depth * sizeof(uint64_t); }

static void drop_trace(struct trace **t)
{
	if (*t)
		pool_free(*t, trace_size((*t)->depth));
	*t = NULL;
}

struct walk {
	uint32_t depth, most;
	uint64_t pc[FRAMES];
};

static _Unwind_Reason_Code add_frame(struct _Unwind_Context *context, void *arg)
{
	struct walk *w = arg;
	uint64_t pc = _Unwind_GetIP(context);

	if (pc >= omen.text_low && pc < omen.text_high)
		return _URC_NO_REASON;
	w->pc[w->depth++] = pc;
	return w->depth < w->most ? _URC_NO_REASON : _URC_END_OF_STACK;
}

static struct trace *make_trace(void)
{
	struct walk w = {.most = state.traced < FULL ? FRAMES : 1};

	if (omen.off || !omen.current)
		return NULL;
	if (!state.brief) {
		state.traced++;
		omen.off |= OFF_INSIDE; /* the unwinder takes a lock */
		_Unwind_Backtrace(add_frame, &w);
		omen.off &= ~(uint32_t)OFF_INSIDE;
	}
	struct trace *t = pool_alloc(trace_size(w.depth));
	t->fiber = omen.current->id;
	t->depth = w.depth;
	memcpy(t->pc, w.pc, w.depth * sizeof(*w.pc));
	return t;
}

void memory_show_trace(struct board_stack *out, const struct trace *t)
{
	out->depth = t ? t->depth : 0;
	out->fiber = t ? t->fiber : BOARD_NOBODY;
	if (t)
		memcpy(out->pc, t->pc, t->depth * sizeof(*t->pc));
}

static void mark_block(uint64_t address, size_t size, size_t usable)
{
	uint64_t whole = address + (size & ~7ul), behind = address + ((size + 7) & ~7ul), end = address + usable;
	bool is_mapped = ((const size_t *)address)[-1] & 2; /* then its pages end here, and other memory may begin */

	set_one(address - 8, BEFORE);
	clear(address, whole);
	if (size & 7)
		set_one(whole, size & 7);
	if (behind < end)
		set(behind, end, BEHIND);
	if (!is_mapped && *memory_state_of(end) != BEFORE)
		set_one(end, BEHIND);
}

void memory_allocated(void *block, size_t size, size_t usable)
{
	struct block *b = memory_block_at((uint64_t)block);

	drop_trace(&b->made);
	drop_trace(&b->freed);
	b->size = size;
	b->made = make_trace();
	mark_block((uint64_t)block, size, usable);
	OP(HEAP, .object = block, .size = size);
}

void memory_size_asked(void *block, size_t usable)
{
	struct block *b = memory_block_at((uint64_t)block);

	if (*memory_state_of((uint64_t)block - 8) != BEFORE || *memory_state_of((uint64_t)block) == FREED)
		return;
	b->size = usable;
	mark_block((uint64_t)block, usable, usable);
	OP(HEAP, .object = block, .size = usable);
}

static void keep(void *block, size_t usable)
{
	uint32_t last = (state.first + state.nkept++) % KEPT;

	state.kept[last].block = block;
	state.kept[last].size = usable;
	state.kept_size += usable;
}

bool memory_freed(void *block, size_t usable)
{
	struct block *b = memory_block_at((uint64_t)block);

	drop_trace(&b->freed);
	b->freed = make_trace();
	OP(HEAP, .object = block, .size = 0);
	if (usable > LARGE_ONE)
		return false;
	set_one((uint64_t)block - 8, BEFORE);
	set((uint64_t)block, (uint64_t)block + usable, FREED);
	if (mode_is(EXPLORE))
		clock_release();
	if (!state.keeps || omen.off || state.nkept == KEPT)
		return false;
	keep(block, usable);
	return true;
}

void memory_resized(void *block, size_t usable, const void *now)
{
	struct block *b = memory_block_at((uint64_t)block);
	uint64_t end = (uint64_t)block + usable, at = (uint64_t)block;

	OP(HEAP, .object = block, .size = (uint64_t)now);
	if (block != now) {
		drop_trace(&b->freed);
		b->freed = make_trace();
		set(at, end, FREED);
		if (mode_is(EXPLORE))
			clock_release();
		return;
	}
	while (at < end && *memory_state_of(at) != BEHIND) /* the part given back is behind the block now */
		at += 8;
	set(at, at < end ? end : at, BEHIND);
}

void *memory_next_forgotten(void)
{
	if (!state.nkept || (state.nkept < KEPT && state.kept_size <= KEPT_SIZE))
		return NULL;
	void *block = state.kept[state.first].block;
	state.kept_size -= state.kept[state.first].size;
	state.first = (state.first + 1) % KEPT;
	state.nkept--;
	return block;
}

/* ---- for instrumented code ---- */

/*
 * Marks the cells of a block's header, and of what is behind the block up to the next one, or of all of it where it is
 * freed.
 */
static void show_block(const struct block *b)
{
	uint64_t at = b->address;

	if (*memory_state_of(at - 8) != BEFORE)
		return; /* the memory is part of another block now */
	show(at - 8, at);
	if (*memory_state_of(at) == FINE)
		at += b->size & ~7ul;
	uint64_t end = at;
	while (*memory_state_of(end) != FINE && *memory_state_of(end) != BEFORE)
		end += 8;
	if (*memory_state_of(at) != FREED || !hide(at, end))
		show(at, end);
}

void memory_take_cells(void)
{
	if (mode_is(CHECK_IN_CELLS))
		return;
	cells_forget();
	mode_set(CHECK_IN_CELLS, true);
	for (uint32_t i = 0; i < state.room; i++)
		if (state.at[i].address)
			show_block(&state.at[i]);
	if (omen.race.address)
		show(omen.race.address, omen.race.address + 8);
	invariants_take_cells();
	object_check_take_cells();
	stack_check_take_cells();
}

/* ---- accesses ---- */

/* The first byte that must not be accessed, or `high`.  A write ends the state DESTROYED of an object. */
static uint64_t first_bad(uint64_t low, uint64_t high, bool writes)
{
	for (uint64_t at = low & ~7ul; at < high; at += 8) {
		uint8_t what = *memory_state_of(at);
		if (likely(what == FINE)) {
			while (!(at & 63) && at + 64 < high && !*(const uint64_t *)memory_state_of(at))
				at += 64;
			what = *memory_state_of(at);
		}
		if (likely(what == FINE))
			continue;
		if (what == DESTROYED) {
			if (writes)
				set_one(at, FINE);
			continue;
		}
		uint64_t bad = what < 8 ? at + what : at;
		bad = bad < low ? low : bad;
		if (bad < high && bad < at + 8)
			return bad;
	}
	return high;
}

static const char *kind_of(uint32_t flags) { return flags & ACCESS_WRITE ? "write" : "read"; }

void memory_check(uint64_t address, uint64_t size, uint32_t flags, const struct omen_site *site)
{
	if (omen.off || address < SHADOW_LOWEST || address >= MEMORY_END || !size)
		return;
	invariants_point();
	uint64_t high = size < MEMORY_END - address ? address + size : MEMORY_END;
	uint64_t bad = first_bad(address, high, flags & ACCESS_WRITE);
	if (unlikely(bad != high) &&
	    !memory_tolerates((uint64_t)site, *memory_state_of(bad) == FREED || *memory_state_of(bad) == ENDED
	                                              ? VIOLATION_FREED
	                                              : VIOLATION_BOUNDS)) {
		omen.board->watched_before = omen.board->nwatched;
		shadow_access(address, size, flags, site); /* a race is reported before the violation */
		memory_fail_access(&(struct access){address, size, kind_of(flags)}, bad);
	}
	if (flags & ACCESS_WRITE)
		invariants_write(address, high);
}

/* ---- frees ---- */

static int holds(struct dl_phdr_info *info, size_t size, void *arg)
{
	uint64_t address = *(uint64_t *)arg;
	(void)size;

	for (int i = 0; i < info->dlpi_phnum; i++)
		if (info->dlpi_phdr[i].p_type == PT_LOAD &&
		    address - (info->dlpi_addr + info->dlpi_phdr[i].p_vaddr) < info->dlpi_phdr[i].p_memsz)
			return 1;
	return 0;
}

/* Is the address in code or a variable of the program, or of a library? */
bool memory_is_in_program(uint64_t address)
{
	omen.off |= OFF_INSIDE;
	bool found = dl_iterate_phdr(holds, &address);
	omen.off &= ~(uint32_t)OFF_INSIDE;
	return found;
}

extern void *__libc_stack_end;
#define MAIN_STACK (8ul << 20) /* the kernel maps nothing so close below the stack's end */

bool memory_is_on_stack(uint64_t address)
{
	if (address <= (uint64_t)__libc_stack_end && address > (uint64_t)__libc_stack_end - MAIN_STACK)
		return true;
	for (uint32_t i = 0; i < omen.nlive; i++)
		if (address - omen.live[i]->stack_low < omen.live[i]->stack_high - omen.live[i]->stack_low)
			return true;
	return false;
}

bool memory_is_private(uint64_t address)
{
	const struct block *b = memory_block_below(address);

	return (b && *memory_state_of(b->address) != FREED && address - b->address < b->size) ||
	       memory_is_in_program(address);
}

bool memory_is_destroyed(uint64_t object) { return object < MEMORY_END && *memory_state_of(object) == DESTROYED; }

bool memory_mark_destroyed(uint64_t object, bool yes)
{
	uint8_t was = object < MEMORY_END ? *memory_state_of(object) : FREED;

	if (was != FINE && was != DESTROYED)
		return false;
	set_one(object & ~7ul, yes ? DESTROYED : FINE);
	return true;
}

void memory_mark_stack(uint64_t low, uint64_t high, bool ended)
{
	if (ended)
		set(low, high, ENDED);
	else
		clear(low, high);
}
