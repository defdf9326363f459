/*
 * The memory of the rewinder is a part of the board, so neither a fork nor a rewind changes it; its stack is there,
 * too.
 *
 * Which pages were written?  The kernel says so: userfaultfd protects pages without anybody having to handle a fault,
 * and PAGEMAP_SCAN lists those that are protected no more.  A page that was written twice is *hot*: it stays writable
 * and is always compared.  After a few executions nearly all pages that are written are hot, and nothing has to be
 * asked.
 */
#include "rt/snapshot/rewind.h"

#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include "rt/core/arch/x86_64/raw.h"
#include "rt/core/arena.h"
#include "rt/core/maps.h"
#include "rt/core/mode.h"
#include "rt/core/regions.h"
#include "rt/core/rt.h"
#include "rt/core/text.h"
#include "rt/core/undo.h"
#include "rt/memory/memory_check.h"
#include "rt/shadow/cells.h"
#include "rt/shadow/overflow.h"

#define PAGE 4096ul

/* Linux 6.7; not in older headers. */
struct scan_region {
	uint64_t low, high, categories;
};
struct scan_request {
	uint64_t size, flags, start, end, walk_end, regions, nregions, most, inverted, all_of, any_of, wanted;
};
#define SCAN          _IOWR('f', 16, struct scan_request)
#define SCAN_PROTECTS 1ul /* flag: protects what it finds */
#define WRITTEN       2ul /* categories: not protected */
#define OF_FILE       4ul /* a page of a file, not a copy of one */
#define PRESENT       8ul
#define SWAPPED       16ul
#define ZERO_PAGE     32ul
#define WP_ASYNC      (1ul << 15)
#define USER_ONLY     1 /* needs no privilege */

#define RANGES    512
#define WINDOWS   1024 /* if an execution needs more, all ranges are scanned */
#define REGIONS   512
#define PAGES     (1u << 16) /* 256 MB: more is not copied, and not rewound */
#define HOT       4096
#define HOT_SLOTS (4 * HOT)
#define HOT_AFTER 2  /* times that a page is found written */
#define QUIET     32 /* executions that leave a hot page as it was: then it is hot no more */
#define OWN_FDS   1002
#define STACK     (1ul << 20) /* more of the main thread's stack is not put back: it is dead between executions */

struct hot {
	uint64_t address;
	const uint8_t *saved;
	uint32_t quiet;
};

static const uint8_t zeros[PAGE];

static struct rewinder {
	struct rewind_shared shared;
	uint64_t fs, mask, end_of_heap, arena_most; /* arena_most: up to where an execution opened the arena */
	uint32_t vector_control, nranges, nwindows, npages, nhot;
	uint16_t x87_control;
	bool is_child;  /* of the server: it rewinds itself */
	bool is_set_up; /* in this child */
	int uffd, pagemap;
	uint64_t faults, mappings, descriptors;
	struct undo undo; /* of the execution that is over */
	struct span ranges[RANGES], windows[WINDOWS];
	struct scan_region found[REGIONS];
	struct hot hot[HOT];
	uint64_t hot_slots[HOT_SLOTS]; /* addresses, by open addressing */
	uint8_t hits[PAGES];
	uint64_t page[PAGES]; /* ascending */
	uint8_t stack[256 << 10] __attribute__((aligned(64)));
	uint8_t saved[PAGES][PAGE] __attribute__((aligned(4096)));
} *const keep = (void *)BOARD_REWIND_ADDRESS;

_Static_assert(sizeof(struct rewinder) <= BOARD_REWIND_SIZE, "the copy of the memory does not fit");

/*
 * The kernel does not do what it should.  In a child, whose execution is over: it ends, as it would without rewinding,
 * and the executions that follow are forks.
 */
static void give_up(const char *what, long error)
{
	keep->shared.is_ready = false;
	text_format(omen.board->fork_reason, sizeof(omen.board->fork_reason), "%s fails (error %ld)", what, -error);
	if (keep->is_child)
		raw1(SYS_exit_group, 0);
}

/* ---- what memory there is ---- */

static void add_range(uint64_t low, uint64_t high)
{
	struct span *last = &keep->ranges[keep->nranges - 1];

	if (keep->nranges && last->high == low)
		last->high = high;
	else if (keep->nranges < RANGES)
		keep->ranges[keep->nranges++] = (struct span){low, high};
}

static bool meets(const struct mapping *m, uint64_t low, uint64_t high) { return m->low < high && low < m->high; }

/* Memory that the runtime opens bit by bit.  Where two reserves meet, the kernel may make one mapping of them. */
static bool is_own_reserve(const struct mapping *m)
{
	uint64_t low, high;

	for (uint32_t i = 0; cells_range(i, &low, &high); i++)
		if (meets(m, low, high))
			return true;
	return meets(m, ARENA_ADDRESS, ARENA_ADDRESS + ARENA_SIZE) ||
	       meets(m, MEMORY_STATES, MEMORY_STATES + MEMORY_STATES_SIZE);
}

/* Pages of files are made present, so that a copy of each is kept. */
static void touch(uint64_t low, uint64_t high)
{
	for (uint64_t at = low; at < high; at += PAGE)
		(void)*(volatile uint8_t *)at;
}

/* The main thread's stack grows now: the kernel does not watch what it would grow by later. */
static void grow(struct mapping *stack)
{
	uint64_t low = stack->high - STACK;

	if (low >= stack->low)
		return;
	touch(low, low + PAGE);
	stack->low = low;
}

static void add_window(uint64_t low, uint64_t high)
{
	if (keep->nwindows < WINDOWS)
		keep->windows[keep->nwindows++] = (struct span){low & ~(PAGE - 1), (high + PAGE - 1) & ~(PAGE - 1)};
}

/* Where the runtime keeps something about this memory. */
static void add_windows_of(const struct span *s)
{
	add_window((uint64_t)omen_cell(s->low), (uint64_t)omen_cell(s->high - 8) + sizeof(struct omen_cell));
	add_window((uint64_t)overflow_place(s->low), (uint64_t)overflow_place(s->high - 8) + sizeof(uint32_t));
	add_window(BITS + (s->low >> 6), BITS + (s->high >> 6) + 1);
	add_window((uint64_t)memory_state_of(s->low), (uint64_t)memory_state_of(s->high));
}

#define WILD (1ul << 20)  /* bytes: how far around the address of a fault */
#define NEAR (64ul << 20) /* bytes between two mappings that share a window */

/* `area` grows by this mapping, or its windows are complete and the mapping begins another. */
static void add_to_area(struct span *area, const struct mapping *m)
{
	if (area->high && m->low - area->high > NEAR) {
		add_windows_of(area);
		*area = (struct span){m->low, m->high};
	} else {
		*area = (struct span){area->high ? area->low : m->low, m->high};
	}
}

/* Finds the ranges, which have all memory that executions may write, and the windows, in which they usually do. */
static bool find_ranges(void)
{
	struct span area = {0};
	struct mapping m;

	keep->nranges = keep->nwindows = 0;
	if (!maps_read())
		return false;
	while (maps_next(&m)) {
		bool reserve = is_own_reserve(&m);
		if (!reserve && m.low >> 47 == 0 && m.low != BOARD_ADDRESS)
			add_to_area(&area, &m);
		if (m.shared || !(m.writable || reserve))
			continue;
		if (m.stack)
			grow(&m);
		if (m.file && m.writable)
			touch(m.low, m.high);
		add_range(m.low, m.high);
		if (!reserve)
			add_window(m.low, m.high);
	}
	if (area.high)
		add_windows_of(&area);
	add_window((uint64_t)OMEN_CELLS, OMEN_CELLS + PAGE * 64);
	return keep->nranges < RANGES && keep->nwindows < WINDOWS;
}

static void scan_span(struct scan_request *r, const struct span *s, void (*visit)(uint64_t page))
{
	r->start = s->low;
	r->end = s->high;
	do {
		long n = raw3(SYS_ioctl, keep->pagemap, SCAN, r);
		if (n < 0) {
			give_up("PAGEMAP_SCAN", n);
			return;
		}
		for (long k = 0; visit && k < n; k++)
			for (uint64_t at = keep->found[k].low; at < keep->found[k].high; at += PAGE)
				visit(at);
		r->start = visit && n == REGIONS ? r->walk_end : r->end;
	} while (r->start < r->end);
}

/* Calls `visit` for each page of these categories, or only protects them. */
static void scan(struct scan_request r, const struct span *spans, uint32_t n, void (*visit)(uint64_t page))
{
	r.size = sizeof(r);
	r.regions = visit ? (uint64_t)keep->found : 0;
	r.nregions = visit ? REGIONS : 0;
	for (uint32_t i = 0; i < n; i++)
		scan_span(&r, &spans[i], visit);
}

static void scan_present(void (*visit)(uint64_t page))
{
	scan(
	        (struct scan_request){
	                .inverted = ZERO_PAGE, .all_of = ZERO_PAGE, .any_of = PRESENT | SWAPPED, .wanted = PRESENT},
	        keep->ranges, keep->nranges, visit);
}

/* ---- the copy ---- */

static void save(uint64_t page)
{
	if (keep->npages == PAGES)
		return;
	memcpy(keep->saved[keep->npages], (const void *)page, PAGE);
	keep->page[keep->npages++] = page;
}

/* The number of the saved page at this address, or of the next one. */
static uint32_t saved_from(uint64_t address)
{
	uint32_t low = 0, high = keep->npages;

	while (low < high) {
		uint32_t middle = (low + high) / 2;
		if (keep->page[middle] < address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* What the page was: a copy, or zeros, if it was not present. */
static const uint8_t *saved_of(uint64_t page)
{
	uint32_t i = saved_from(page);

	return i < keep->npages && keep->page[i] == page ? keep->saved[i] : zeros;
}

static bool put_back(uint64_t page, const uint8_t *saved)
{
	if (!memcmp((const void *)page, saved, PAGE))
		return false;
	memcpy((void *)page, saved, PAGE);
	return true;
}

/* ---- hot pages ---- */

static uint64_t *hot_slot(uint64_t page)
{
	uint64_t i = (page >> 12) * 0x9e3779b97f4a7c15u >> 40;

	for (;; i++) {
		uint64_t *slot = &keep->hot_slots[i % HOT_SLOTS];
		if (*slot == page || !*slot)
			return slot;
	}
}

static bool is_hot(uint64_t page) { return *hot_slot(page) == page; }

static void protect(uint64_t page)
{
	struct uffdio_writeprotect w = {{page, PAGE}, UFFDIO_WRITEPROTECT_MODE_WP};
	long r = raw3(SYS_ioctl, keep->uffd, UFFDIO_WRITEPROTECT, &w);

	if (r < 0)
		give_up("UFFDIO_WRITEPROTECT", r);
}

static uint8_t *hits_of(uint64_t page) { return &keep->hits[(page >> 12) * 0x9e3779b97f4a7c15u >> 48]; }

/* Found written once more.  True: it is hot from now on. */
static bool becomes_hot(uint64_t page, const uint8_t *saved)
{
	uint8_t *hits = hits_of(page);

	if (keep->nhot == HOT || (*hits < HOT_AFTER && ++*hits < HOT_AFTER))
		return false;
	*hot_slot(page) = page;
	keep->hot[keep->nhot++] = (struct hot){page, saved, 0};
	return true;
}

static void cool(uint32_t i)
{
	protect(keep->hot[i].address);
	*hits_of(keep->hot[i].address) = 0;
	keep->hot[i] = keep->hot[--keep->nhot];
}

static void list_hot(void)
{
	memset(keep->hot_slots, 0, sizeof(keep->hot_slots));
	for (uint32_t i = 0; i < keep->nhot; i++)
		*hot_slot(keep->hot[i].address) = keep->hot[i].address;
}

/* A page that stays as it was for many executions is hot no more. */
static void restore_hot(void)
{
	uint32_t n = keep->nhot, forgotten = omen.board->config.verify_rewind == VERIFY_FORGET && n > 8 ? n / 2 : HOT;

	for (uint32_t i = 0; i < keep->nhot;) {
		struct hot *h = &keep->hot[i];
		if (i == forgotten)
			forgotten = HOT;
		else if (put_back(h->address, h->saved))
			h->quiet = 0;
		else if (++h->quiet == QUIET) {
			cool(i);
			continue;
		}
		i++;
	}
	if (keep->nhot != n)
		list_hot();
}

static void restore_found(uint64_t page)
{
	if (is_hot(page))
		return;
	const uint8_t *saved = saved_of(page);
	put_back(page, saved);
	if (!becomes_hot(page, saved))
		protect(page);
}

/* ---- all memory ---- */

static uint64_t count_faults(void)
{
	struct rusage u;

	raw2(SYS_getrusage, RUSAGE_SELF, &u);
	return (uint64_t)u.ru_minflt;
}

static void restore_dropped(void)
{
	for (uint32_t i = 0; i < keep->undo.ndropped; i++) {
		const struct span *s = &keep->undo.dropped[i];
		for (uint32_t k = saved_from(s->low); k < keep->npages && keep->page[k] < s->high; k++)
			if (put_back(keep->page[k], keep->saved[k]) && !is_hot(keep->page[k]))
				protect(keep->page[k]);
	}
}

/* Looks where executions write: also where a wild pointer has led to, if that has ended this one. */
static void scan_written(void)
{
	const struct scan_request r = {.inverted = OF_FILE | ZERO_PAGE,
	                               .all_of = WRITTEN | OF_FILE | ZERO_PAGE,
	                               .any_of = PRESENT | SWAPPED,
	                               .wanted = WRITTEN};
	const struct board_result *result = &omen.board->result;
	uint64_t wild = result->fault_address & ~(WILD - 1);
	uint32_t n = keep->nwindows;

	add_window(ARENA_ADDRESS, keep->arena_most);
	for (uint32_t i = 0; i < keep->undo.nmapped; i++)
		add_windows_of(&keep->undo.mapped[i]);
	for (uint32_t i = 0; i < keep->undo.nunmapped; i++)
		add_windows_of(&keep->undo.unmapped[i]);
	if (result->ending == ENDING_CRASH && wild < MEMORY_END)
		add_windows_of(&(struct span){wild, wild + WILD});
	if (keep->nwindows < WINDOWS)
		scan(r, keep->windows, keep->nwindows, restore_found);
	else /* there was no room for all of them */
		scan(r, keep->ranges, keep->nranges, restore_found);
	keep->nwindows = n;
}

static void restore_written(void)
{
	restore_hot();
	if (count_faults() != keep->faults) {
		restore_dropped();
		scan_written();
	}
	keep->faults = count_faults();
}

static void clear_new(uint64_t page)
{
	if (saved_of(page) == zeros)
		put_back(page, zeros);
}

static void open_pagemap(void)
{
	long fd = raw3(SYS_open, "/proc/self/pagemap", O_RDONLY | O_CLOEXEC, 0);

	keep->pagemap = (int)raw3(SYS_fcntl, fd, F_DUPFD_CLOEXEC, OWN_FDS);
	raw1(SYS_close, fd);
}

/* The first time in a child: everything is compared.  From then on the kernel watches what is written. */
static void set_up(void)
{
	struct uffdio_api api = {.api = UFFD_API, .features = WP_ASYNC};

	keep->nhot = 0;
	memset(keep->hot_slots, 0, sizeof(keep->hot_slots));
	memset(keep->hits, 0, sizeof(keep->hits));
	open_pagemap();
	for (uint32_t i = 0; i < keep->npages; i++)
		put_back(keep->page[i], keep->saved[i]);
	scan_present(clear_new);
	long fd = raw1(SYS_userfaultfd, O_CLOEXEC | USER_ONLY);
	if (fd < 0 || raw3(SYS_ioctl, fd, UFFDIO_API, &api) < 0)
		give_up("userfaultfd", fd);
	keep->uffd = (int)raw3(SYS_fcntl, fd, F_DUPFD_CLOEXEC, OWN_FDS);
	raw1(SYS_close, fd);
	for (uint32_t i = 0; i < keep->nranges; i++) {
		struct uffdio_register r = {
		        {keep->ranges[i].low, keep->ranges[i].high - keep->ranges[i].low}, UFFDIO_REGISTER_MODE_WP, 0};
		long e = raw3(SYS_ioctl, keep->uffd, UFFDIO_REGISTER, &r);
		if (e < 0)
			give_up("UFFDIO_REGISTER", e);
	}
	scan((struct scan_request){.flags = SCAN_PROTECTS, .any_of = PRESENT | SWAPPED, .wanted = PRESENT},
	     keep->ranges, keep->nranges, NULL);
	keep->faults = count_faults();
	keep->is_set_up = true;
}

/* ---- the check (OMEN_VERIFY_REWIND) ---- */

static void compare_page(uint64_t page)
{
	const uint8_t *saved = saved_of(page);

	for (uint32_t i = 0; i < PAGE; i++)
		if (((const uint8_t *)page)[i] != saved[i])
			text_die("a rewind has not put back the byte at 0x%lx", page + i);
}

/* A sum over the mappings, without what the rewinder adds, or over the descriptors. */
static uint64_t sum_of_mappings(void)
{
	uint64_t sum = 0;
	struct mapping m;
	struct span last = {0};

	if (!maps_read())
		text_die("cannot read /proc/self/maps");
	while (maps_next(&m)) {
		if (is_own_reserve(&m) || m.stack)
			continue;
		if (m.low != last.high)
			sum = (sum ^ last.low ^ last.high * 3) * 0x9e3779b97f4a7c15u;
		last = m.low == last.high ? (struct span){last.low, m.high} : (struct span){m.low, m.high};
	}
	return (sum ^ last.low ^ last.high * 3) * 0x9e3779b97f4a7c15u;
}

static uint64_t sum_of_descriptors(void)
{
	uint64_t sum = 0;

	for (uint32_t fd = 0; fd < CONTROL_FD; fd++)
		if (raw2(SYS_fcntl, fd, F_GETFD) >= 0)
			sum = (sum ^ fd) * 0x9e3779b97f4a7c15u + 1;
	return sum;
}

static void verify(void)
{
	for (uint32_t i = 0; i < keep->npages; i++)
		compare_page(keep->page[i]);
	scan_present(compare_page);
	uint64_t mappings = sum_of_mappings(), descriptors = sum_of_descriptors();
	/* reading the map has changed the runtime's own memory */
	restore_written();
	if (mappings != keep->mappings || descriptors != keep->descriptors)
		text_die("a rewind has left a %s", mappings != keep->mappings ? "mapping" : "descriptor");
}

/* ---- the kernel's part ---- */

static void close_new(void)
{
	for (uint32_t fd = 0; fd < UNDO_FDS; fd++)
		if (keep->undo.fds[fd / 64] >> fd % 64 & 1)
			raw1(SYS_close, fd);
}

static void unmap_new(void)
{
	for (uint32_t i = 0; i < keep->undo.nmapped; i++)
		raw2(SYS_munmap, keep->undo.mapped[i].low, keep->undo.mapped[i].high - keep->undo.mapped[i].low);
	if (keep->undo.moved_break)
		raw1(SYS_brk, keep->end_of_heap);
}

/* What the runtime opens bit by bit must be accessible while it is put back. */
static void open_reserves(void)
{
	uint64_t end = arena_end();

	if (keep->arena_most < end)
		keep->arena_most = end;
	if (end < keep->arena_most)
		raw3(SYS_mprotect, end, keep->arena_most - end, PROT_READ | PROT_WRITE);
	cells_show();
	memory_show_cells();
}

/*
 * The cells stay open.  In the next execution they should be closed until its first thread begins.  But up to there
 * executions are equal, and a wild pointer into the cells would have faulted in the first one, which was a fork.
 */
static void close_reserves(void)
{
	uint64_t end = arena_end();

	if (end < keep->arena_most)
		raw3(SYS_mprotect, end, keep->arena_most - end, PROT_NONE);
	memory_hide_cells();
}

static void restore_registers(void)
{
	const uint32_t vector_control = keep->vector_control;
	const uint16_t x87_control = keep->x87_control;

	__builtin_ia32_wrfsbase64(keep->fs);
	__asm__ volatile("ldmxcsr %0\n\tfninit\n\tfldcw %1" : : "m"(vector_control), "m"(x87_control));
}

/* On the stack in shared memory. */
static void __attribute__((noreturn)) rewind(void)
{
	keep->undo = undo;
	keep->is_child = true;
	close_new();
	unmap_new();
	open_reserves();
	if (keep->is_set_up)
		restore_written();
	else
		set_up();
	if (omen.board->config.verify_rewind)
		verify();
	close_reserves();
	restore_registers();
	raw4(SYS_rt_sigprocmask, SIG_SETMASK, &keep->mask, NULL, 8);
	keep->shared.is_over = true;
	__builtin_longjmp(keep->shared.place, 1);
}

static bool is_undoable(void)
{
	const struct rewind_shared *s = &keep->shared;

	return mode_is(REWINDS) && s->is_ready && !undo.impossible && !omen.children && s->late != s->number + 1 &&
	       omen.board->result.ending != ENDING_OMEN && (uint64_t)raw1(SYS_brk, 0) >= keep->end_of_heap;
}

void execution_over(void)
{
	uint64_t all = ~0ul;

	if (!is_undoable()) {
		if (mode_is(REWINDS) && keep->shared.is_ready)
			text_format(omen.board->fork_reason, sizeof(omen.board->fork_reason), "%s",
			            undo.impossible ? undo.impossible : "it has ended in the middle of something");
		return;
	}
	raw4(SYS_rt_sigprocmask, SIG_SETMASK, &all, NULL, 8);
	__asm__ volatile("mov %0, %%rsp\n\txor %%ebp, %%ebp\n\tcall *%1"
	                 :
	                 : "r"(keep->stack + sizeof(keep->stack)), "r"(rewind)
	                 : "memory");
	__builtin_unreachable();
}

/* ---- in the server ---- */

static bool can_watch(void)
{
	struct uffdio_api api = {.api = UFFD_API, .features = WP_ASYNC};
	struct scan_request r = {.size = sizeof(r),
	                         .start = ARENA_ADDRESS,
	                         .end = ARENA_ADDRESS + PAGE,
	                         .all_of = PRESENT,
	                         .wanted = PRESENT};
	long fd = raw1(SYS_userfaultfd, O_CLOEXEC | USER_ONLY);
	bool ok = fd >= 0 && raw3(SYS_ioctl, fd, UFFDIO_API, &api) >= 0;

	if (fd >= 0)
		raw1(SYS_close, fd);
	return ok && raw3(SYS_ioctl, keep->pagemap, SCAN, &r) >= 0;
}

void rewind_not_yet(void) { keep->shared = (struct rewind_shared){0}; }

struct rewind_shared *rewind_shared(void) { return &keep->shared; }

bool rewind_start(void)
{
	keep->shared = (struct rewind_shared){0};
	keep->npages = 0;
	keep->is_child = false;
	open_pagemap();
	if (keep->pagemap < 0)
		return false;
	bool ok = can_watch() && find_ranges();
	if (!ok)
		raw1(SYS_close, keep->pagemap);
	return ok;
}

bool rewind_save(void)
{
	uint16_t x87_control;

	keep->fs = __builtin_ia32_rdfsbase64();
	keep->vector_control = __builtin_ia32_stmxcsr();
	__asm__ volatile("fnstcw %0" : "=m"(x87_control));
	keep->x87_control = x87_control;
	keep->end_of_heap = (uint64_t)raw1(SYS_brk, 0);
	keep->arena_most = arena_end();
	raw4(SYS_rt_sigprocmask, SIG_SETMASK, NULL, &keep->mask, 8);
	keep->shared.is_ready = true;
	cells_show();
	memory_show_cells();
	scan_present(save);
	memory_hide_cells();
	cells_hide();
	raw1(SYS_close, keep->pagemap);
	if (omen.board->config.verify_rewind) {
		keep->mappings = sum_of_mappings();
		keep->descriptors = sum_of_descriptors();
	}
	keep->shared.is_ready = keep->shared.is_ready && keep->npages < PAGES;
	return keep->shared.is_ready;
}

void rewind_forked(void)
{
	keep->is_set_up = false;
	rewind_begin();
}

void rewind_begin(void)
{
	mode_set(REWINDS, true);
	undo = (struct undo){0};
}
