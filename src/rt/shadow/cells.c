#include "rt/shadow/cells.h"

#include <asm/prctl.h>
#include <fcntl.h>
#include <sys/mman.h>

#include "rt/core/arch/x86_64/raw.h"
#include "rt/shadow/overflow.h"
#include "rt/shadow/race_check.h"
#include "rt/core/undo.h"
#include "rt/core/text.h"

/* Where programs have their memory: low (not position independent), the program and its heap, everything else. */
static const struct {
	uint64_t low, high;
} reserved[] = {
        {0, 1ul << 39},
        {0x550000000000, 0x570000000000},
        {0x7e0000000000, 0x800000000000},
};
#define RESERVED (sizeof(reserved) / sizeof(*reserved))

/* Until something is watched, no code looks at the cells, and a wild pointer into them must fault. */
static bool is_open;

static int protection(void) { return is_open ? PROT_READ | PROT_WRITE : PROT_NONE; }

static bool map(uint64_t at, uint64_t size)
{
	const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE;

	if (raw6(SYS_mmap, at, size, protection(), flags, -1, 0) != (long)at)
		return false;
	raw3(SYS_madvise, at, size, MADV_DONTDUMP);
	undo_impossible("the detector needs more memory");
	return true;
}

static bool reserve(uint64_t low, uint64_t high)
{
	return map((uint64_t)omen_cell(low), (high - low) * 2) && map((uint64_t)overflow_place(low), (high - low) / 2);
}

/* The page of the masks is always accessible. */
static void show_page(void) { raw3(SYS_mprotect, OMEN_CELLS + (OMEN_MASKS & ~4095ul), 4096, PROT_READ | PROT_WRITE); }

/* Instrumented code finds the cells through %gs, and the masks before the first cell that is in use. */
static void show_masks(void)
{
	uint32_t *mask = (uint32_t *)(OMEN_CELLS + OMEN_MASKS);

	show_page();
	for (uint32_t size = 1; size <= 8; size *= 2)
		for (uint32_t offset = 0; offset < 8; offset++) {
			uint32_t bytes = shadow_bytes(offset, size) & OMEN_CELL_BYTES;
			*mask++ = ~(OMEN_CELL_MERGED | OMEN_CELL_BYTES) | bytes;
		}
	raw2(SYS_arch_prctl, ARCH_SET_GS, OMEN_CELLS);
}

void cells_start(void)
{
	bool ok = map(BITS, BITS_SIZE);

	for (size_t i = 0; i < RESERVED; i++)
		ok = ok && reserve(reserved[i].low, reserved[i].high);
	if (!ok)
		text_die("cannot reserve memory for the detection of races; is the address space limited (ulimit -v)?");
	show_masks();
}

static void protect(int protection)
{
	uint64_t low, high;

	for (uint32_t i = 0; cells_range(i, &low, &high); i++)
		if (raw3(SYS_mprotect, low, high - low, protection))
			text_die("cannot use the memory for the detection of races; is there a limit to it?");
	if (protection == PROT_NONE)
		show_page();
}

void cells_show(void)
{
	if (!is_open)
		protect(PROT_READ | PROT_WRITE);
}

void cells_hide(void)
{
	if (!is_open)
		protect(PROT_NONE);
}

void cells_open(void)
{
	if (is_open || !omen.board)
		return;
	is_open = true;
	protect(protection());
}

void cells_close(void)
{
	if (!is_open || !omen.board || mode_is(EXPLAIN) || omen_hot->watch)
		return;
	is_open = false;
	protect(protection());
}

/* Other memory gets its cells when it is mapped, 1 GB at a time. */
#define EXTRA      64
#define EXTRA_SIZE (1ul << 30)

static struct {
	uint64_t at[EXTRA];
	uint32_t n;
} extra;

static bool has_cells(uint64_t gigabyte)
{
	for (size_t i = 0; i < RESERVED; i++)
		if (gigabyte - (reserved[i].low & OMEN_CELL_BITS) < reserved[i].high - reserved[i].low)
			return true;
	for (uint32_t i = 0; i < extra.n; i++)
		if (extra.at[i] == gigabyte)
			return true;
	return false;
}

/* Only the address bits that find a cell matter. */
static bool give_cells(uint64_t address)
{
	uint64_t gigabyte = address & OMEN_CELL_BITS & ~(EXTRA_SIZE - 1);

	if (has_cells(gigabyte))
		return true;
	if (extra.n == EXTRA || !reserve(gigabyte, gigabyte + EXTRA_SIZE))
		return false;
	extra.at[extra.n++] = gigabyte;
	return true;
}

void cells_mapped(uint64_t low, uint64_t high)
{
	if (!omen.board)
		return;
	for (uint64_t at = low & ~(EXTRA_SIZE - 1); at < high; at += EXTRA_SIZE)
		if (!give_cells(at))
			text_die("the program maps memory at 0x%lx, where races cannot be looked for", low);
}

/*
 * The runtime itself puts something there though nothing is watched: an object, words for a history.  Then the cells
 * are opened.
 */
static bool opens(const uint8_t *code, uint64_t address)
{
	uint64_t low, high;

	if (is_open || (uint64_t)code - omen.text_low >= omen.text_high - omen.text_low)
		return false;
	for (uint32_t i = 0; cells_range(i, &low, &high); i++)
		if (address >= low && address < high) {
			cells_open();
			return true;
		}
	return false;
}

bool cells_fault(const uint8_t *code, uint64_t address)
{
	const uint8_t through_gs = 0x65;
	uint64_t memory = (address - OMEN_CELLS) / 2;

	if (omen.board && opens(code, address))
		return true;

	/* If the address is that of the code, a wild jump has faulted, and there is no instruction to look at. */
	return omen.board && memory <= OMEN_CELL_BITS && !has_cells(memory & ~(EXTRA_SIZE - 1)) &&
	       address != (uint64_t)code && *code == through_gs && give_cells(memory);
}

bool cells_are_of(uint64_t address) { return has_cells(address & OMEN_CELL_BITS & ~(EXTRA_SIZE - 1)); }

bool cells_are_of_all(uint64_t first, uint64_t last)
{
	return cells_are_of(first) && ((first ^ last) < EXTRA_SIZE || cells_are_of(last));
}

void cells_forget(void)
{
	for (size_t i = 0; omen.cells_used && i < RESERVED; i++) {
		uint64_t low = reserved[i].low ? reserved[i].low : SHADOW_LOWEST; /* not the masks */
		undo_drop((uint64_t)omen_cell(low), (reserved[i].high - low) * 2);
	}
	for (uint32_t i = 0; omen.cells_used && i < extra.n; i++)
		undo_drop((uint64_t)omen_cell(extra.at[i]), EXTRA_SIZE * 2);
	omen.cells_used = false;
}

bool cells_range(uint32_t i, uint64_t *low, uint64_t *high)
{
	if (i >= 2 * RESERVED + 1) {
		uint32_t k = (i - 2 * RESERVED - 1) / 2;
		bool link = (i - 2 * RESERVED - 1) % 2;
		if (k >= extra.n)
			return false;
		*low = link ? (uint64_t)overflow_place(extra.at[k]) : (uint64_t)omen_cell(extra.at[k]);
		*high = *low + (link ? EXTRA_SIZE / 2 : EXTRA_SIZE * 2);
		return true;
	}
	if (i == 2 * RESERVED) {
		*low = BITS;
		*high = BITS + BITS_SIZE;
	} else {
		uint64_t from = reserved[i / 2].low, size = reserved[i / 2].high - from;
		*low = i % 2 ? (uint64_t)overflow_place(from) : (uint64_t)omen_cell(from);
		*high = *low + (i % 2 ? size / 2 : size * 2);
	}
	return true;
}

bool cells_visit(uint64_t low, uint64_t high, void (*visit)(uint64_t page, void *arg), void *arg)
{
	static uint64_t pages[2 * 256]; /* a page of memory has two pages of cells */
	long pagemap = raw3(SYS_open, "/proc/self/pagemap", O_RDONLY | O_CLOEXEC, 0);
	bool ok = pagemap >= 0;

	while (ok && low < high) {
		uint64_t n = (high - low) / 4096 < 256 ? (high - low) / 4096 : 256;
		uint64_t offset = ((uint64_t)omen_cell(low) / 4096) * sizeof(*pages), size = 2 * n * sizeof(*pages);
		ok = raw4(SYS_pread64, pagemap, pages, size, offset) == (long)size;
		for (uint64_t i = 0; ok && i < n; i++)
			if (pages[2 * i] || pages[2 * i + 1])
				visit(low + i * 4096, arg);
		low += n * 4096;
	}
	if (pagemap >= 0)
		raw1(SYS_close, pagemap);
	return ok;
}
