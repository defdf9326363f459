/*
 * The race check (docs/design.md, "Detection").
 *
 * Every 8 bytes have a cell: the last write and the last read, each with its segment and bytes.  Two accesses race if
 * they have a byte in common, one of them writes, not both are atomic, and neither happened before the other; an access
 * is compared with everything that the 8 bytes still know of, and then makes them forget what can tell no more than it
 * does itself: an access that happened before it and that is no stronger (a plain access is stronger than an atomic
 * one, a write stronger than a read).  Whoever races with the forgotten one later, races with this one.
 *
 * What does not fit into the cell lies in its twin: a second reader, and a record for all else (more readers, other
 * bytes by other segments, atomics).  Few cells have one, so a bit for each cell says whether to look.
 *
 * While exploring every access comes by here anyway; then (`precise`) all are put on record, with their sites, so that
 * every distinct pair is told.  Otherwise the sites of past accesses are for the explaining replay to find.
 */
#include "rt/shadow.h"

#include <fcntl.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>

#include "rt/access.h"
#include "rt/arch/x86_64/raw.h"
#include "rt/arena.h"
#include "rt/clock.h"
#include "rt/explain.h"
#include "rt/maps.h"
#include "rt/order.h"
#include "rt/pool.h"
#include "rt/race.h"
#include "rt/text.h"

/* ---- the reserved memory ---- */

/* twin.link: */
#define RECORD  (1u << 31)
#define OBJECT  (1u << 30) /* something that orders lives here */
#define NUMBERS (OBJECT - 1)

static struct twin *use_twin(uint64_t address)
{
	((uint8_t *)BITS)[address >> 6] |= (uint8_t)(1u << (address >> 3 & 7));
	return twin_of(address);
}

#define LOWEST 65536 /* below is no memory: the access is about to fault */

/* Where programs have their memory: low (not position independent), the program and its heap, all else. */
static const struct {
	uint64_t low, high;
} reserved[] = {
        {0, 1ul << 39},
        {0x550000000000, 0x570000000000},
        {0x7e0000000000, 0x800000000000},
};
#define RESERVED (sizeof(reserved) / sizeof(*reserved))

static bool map(uint64_t at, uint64_t size)
{
	const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE;

	if (raw6(SYS_mmap, at, size, PROT_READ | PROT_WRITE, flags, -1, 0) != (long)at)
		return false;
	raw3(SYS_madvise, at, size, MADV_DONTDUMP);
	return true;
}

static bool reserve(uint64_t low, uint64_t high)
{
	return map(low ^ OMEN_CELLS, high - low) && map((uint64_t)twin_of(low), (high - low) * 2);
}

static bool precise(void) { return omen.watch_all; }

static void find_places(void);

void shadow_start(void)
{
	find_places();
	bool ok = map(BITS, BITS_SIZE);
	for (size_t i = 0; i < RESERVED; i++)
		ok = ok && reserve(reserved[i].low, reserved[i].high);
	if (!ok)
		text_die("cannot reserve memory for the detection of races; is the address space limited "
		         "(ulimit -v)? --no-races does without");
}

void shadow_mapped(uint64_t low, uint64_t high)
{
	for (size_t i = 0; i < RESERVED; i++)
		if (low >= reserved[i].low && high <= reserved[i].high)
			return;
	if (omen.board && !reserve(low & ~4095ul, (high + 4095) & ~4095ul))
		text_die("the program maps memory at 0x%lx, where races cannot be detected; --no-races does without",
		         low);
}

bool shadow_range(uint32_t i, uint64_t *low, uint64_t *high)
{
	if (i == 0) {
		*low = BITS;
		*high = BITS + BITS_SIZE;
	} else if (i <= RESERVED) {
		*low = reserved[i - 1].low ^ OMEN_CELLS;
		*high = *low + reserved[i - 1].high - reserved[i - 1].low;
	} else if (i <= 2 * RESERVED) {
		const uint64_t at = reserved[i - 1 - RESERVED].low;
		*low = (uint64_t)twin_of(at);
		*high = *low + (reserved[i - 1 - RESERVED].high - at) * 2;
	}
	return i <= 2 * RESERVED;
}

/* ---- sites as numbers ---- */

/*
 * Sites lie near the program or near the libraries: 1 GB around each can be told apart, and the lowest.  0: unknown.
 */
#define NEAR   (1ul << 30)
#define PLACES 3

static uint64_t near[PLACES];

static void find_places(void)
{
	near[1] = getauxval(AT_PHDR) - NEAR / 2;
	near[2] = omen.text_low - NEAR / 2;
}

static uint32_t site_number(const struct omen_site *site)
{
	for (uint32_t i = PLACES; i-- > 0;)
		if ((uint64_t)site - near[i] < NEAR)
			return (uint32_t)(i << 28 | ((uint64_t)site - near[i]) >> 2);
	return 0;
}

static const struct omen_site *site_of(uint32_t number)
{
	uint32_t i = number >> 28;

	return number ? (const struct omen_site *)(near[i] + (uint64_t)(number & ((1u << 28) - 1)) * 4) : NULL;
}

/* ---- records ---- */

/* An access that the 8 bytes still know of. */
struct past {
	uint32_t half; /* segment and bytes, as in a cell */
	uint32_t site; /* its number; WROTE */
};

#define WROTE (1u << 31)
#define FREED (1u << 30)
#define SITES (FREED - 1)

struct record {
	uint32_t n, room;
	struct past past[];
};

#define FIRST_ROOM 3

static size_t record_size(uint32_t room) { return sizeof(struct record) + room * sizeof(struct past); }

static struct record *record_of(const struct twin *t)
{
	if (likely(!(t->link & RECORD)))
		return NULL;
	return (struct record *)(ARENA_ADDRESS + (uint64_t)(t->link & NUMBERS) * POOL_UNIT);
}

static void put_record(struct twin *t, const struct record *r)
{
	uint64_t number = ((uint64_t)r - ARENA_ADDRESS) / POOL_UNIT;

	if (number > NUMBERS)
		text_die("more accesses to remember than there is room for");
	t->link = RECORD | (t->link & OBJECT) | (uint32_t)number;
}

static void drop_record(struct twin *t, struct record *r)
{
	t->link &= OBJECT;
	pool_free(r, record_size(r->room));
}

static void add_past(struct twin *t, uint32_t half, uint32_t site)
{
	struct record *r = record_of(t);

	if (!r) {
		r = pool_alloc(record_size(FIRST_ROOM));
		*r = (struct record){.room = FIRST_ROOM};
		put_record(t, r);
	} else if (r->n == r->room) {
		uint32_t room = 2 * r->room + 1; /* with the header: powers of two */
		struct record *bigger = pool_alloc(record_size(room));
		memcpy(bigger, r, record_size(r->n));
		bigger->room = room;
		pool_free(r, record_size(r->room));
		r = bigger;
		put_record(t, r);
	}
	r->past[r->n++] = (struct past){half, site};
}

/* ---- the check ---- */

#define BYTES(half)    ((half)&OMEN_CELL_BYTES)
#define SEGMENT(half)  ((half) >> 8)
#define IS_ATOMIC(seg) ((seg)&1)

/* The access under way, as far as one cell is concerned. */
struct now {
	uint64_t address; /* of the cell's memory */
	uint32_t half;    /* its segment and bytes */
	uint32_t flags;
	const struct omen_site *site;
};

static COLD void raced(const struct now *now, uint32_t half, bool wrote, uint32_t site)
{
	uint32_t segment = SEGMENT(half);

	race_found(&(struct race){.address = now->address,
	                          .bytes = BYTES(half) & BYTES(now->half),
	                          .past_fiber = segment_of(segment)->fiber,
	                          .past_flags = (wrote ? ACCESS_WRITE : 0) | (IS_ATOMIC(segment) ? ACCESS_ATOMIC : 0) |
	                                        (site & FREED ? ACCESS_FREE : 0),
	                          .past_site = site_of(site & SITES),
	                          .flags = now->flags,
	                          .site = now->site});
}

/* Compares with one past access; returns what of it must be remembered. */
static inline uint32_t meet(const struct now *now, uint32_t half, bool wrote, uint32_t site)
{
	uint32_t common = BYTES(half) & BYTES(now->half), segment = SEGMENT(half);
	bool writes = now->flags & ACCESS_WRITE, atomic = now->flags & ACCESS_ATOMIC;

	if (!common)
		return half;
	if (clock_before(segment)) {
		bool stronger = (writes || !wrote) && (!atomic || IS_ATOMIC(segment));
		return stronger ? half & ~common : half;
	}
	if (!(wrote || writes) || (IS_ATOMIC(segment) && atomic))
		return half;
	raced(now, half, wrote, site);
	return half & ~common; /* that the byte races is known now */
}

/* Where pairs of sites count, an access is forgotten for one at the same site only. */
static uint32_t meet_precisely(const struct now *now, uint32_t site, const struct past *p)
{
	uint32_t left = meet(now, p->half, p->site & WROTE, p->site);

	return p->site == site && clock_before(SEGMENT(p->half)) ? left : p->half;
}

static void meet_record(const struct now *now, struct twin *t, uint32_t site)
{
	struct record *r = record_of(t);
	uint32_t kept = 0;

	if (!r)
		return;
	for (uint32_t i = 0; i < r->n; i++) {
		struct past p = r->past[i];
		p.half = precise() ? meet_precisely(now, site, &p) : meet(now, p.half, p.site & WROTE, 0);
		if (BYTES(p.half) && (precise() || !clock_is_past(SEGMENT(p.half))))
			r->past[kept++] = p;
	}
	r->n = kept;
	if (!kept)
		drop_record(t, r);
}

/* An access that is put on record: atomic ones, and all when sites are wanted. */
static void access_recorded(const struct now *now)
{
	struct omen_cell *c = omen_cell(now->address);
	struct twin *t = use_twin(now->address);
	uint32_t wrote = now->flags & ACCESS_WRITE ? WROTE : 0;
	uint32_t site = site_number(now->site) | wrote | (now->flags & ACCESS_FREE ? FREED : 0);
	const struct record *r = record_of(t);

	for (uint32_t i = 0; r && i < r->n; i++)
		if (SEGMENT(r->past[i].half) == SEGMENT(now->half) && r->past[i].site == site &&
		    !(BYTES(now->half) & ~r->past[i].half))
			return;
	c->write = meet(now, c->write, true, 0);
	c->read = meet(now, c->read, false, 0);
	t->write = meet(now, t->write, true, 0);
	t->read = meet(now, t->read, false, 0);
	meet_record(now, t, site);
	add_past(t, now->half, site);
}

/* One of many readers: is the access on record?  With `add`: it is put there if its segment has a place. */
static bool reader_recorded(const struct now *now, const struct twin *t, bool add)
{
	struct record *r = record_of(t);

	for (uint32_t i = 0; r && i < r->n; i++) {
		struct past *p = &r->past[i];
		if (SEGMENT(p->half) != SEGMENT(now->half) || (p->site & WROTE))
			continue;
		if (!add)
			return !(BYTES(now->half) & ~p->half);
		p->half |= BYTES(now->half);
		return true;
	}
	return false;
}

static inline bool covers(uint32_t half, uint32_t now)
{
	return SEGMENT(half) == SEGMENT(now) && !(BYTES(now) & ~half);
}

static inline bool is_free(uint32_t half) { return !BYTES(half) || clock_is_past(SEGMENT(half)); }

/*
 * Puts the access into one of two halves, the cell's and its twin's, if there is room: where its segment is already, or
 * where nothing is left to remember that anybody could race with.  The cell's is the one that the next access looks at
 * first.
 */
static inline bool take_half(uint32_t now, uint32_t *first, uint32_t *second)
{
	if (second && SEGMENT(*second) == SEGMENT(now)) {
		now |= BYTES(*second);
		*second = 0;
	}
	if (SEGMENT(*first) == SEGMENT(now))
		*first |= BYTES(now);
	else if (is_free(*first))
		*first = now;
	else if (second && is_free(*second))
		*second = now;
	else
		return false;
	return true;
}

/* Both halves are needed by others: the second's goes on record. */
static void push_half(const struct now *now, uint32_t *half, uint32_t wrote)
{
	add_past(twin_of(now->address), *half, wrote);
	*half = now->half;
}

/* A twin that has nothing to tell any more is no longer looked at. */
static inline void leave_twin(uint64_t address, const struct twin *t)
{
	if (!BYTES(t->write) && !BYTES(t->read) && !t->link)
		((uint8_t *)BITS)[address >> 6] &= (uint8_t) ~(1u << (address >> 3 & 7));
}

static void read_cell(const struct now *now)
{
	struct omen_cell *c = omen_cell(now->address);
	struct twin *t = has_twin(now->address) ? twin_of(now->address) : NULL;

	if (t && covers(t->read, now->half))
		return;
	if (t && (t->link & RECORD) && reader_recorded(now, t, false))
		return;
	if (SEGMENT(c->write) != SEGMENT(now->half))
		c->write = meet(now, c->write, true, 0);
	if (SEGMENT(c->read) != SEGMENT(now->half))
		c->read = meet(now, c->read, false, 0);
	if (t) {
		t->write = meet(now, t->write, true, 0);
		t->read = meet(now, t->read, false, 0);
		meet_record(now, t, 0);
	}
	if (take_half(now->half, &c->read, t ? &t->read : NULL)) {
		if (t)
			leave_twin(now->address, t);
		return;
	}
	if (t && reader_recorded(now, t, true))
		return;
	t = use_twin(now->address);
	if (!take_half(now->half, &c->read, &t->read))
		push_half(now, &t->read, 0);
}

static void write_cell(const struct now *now)
{
	struct omen_cell *c = omen_cell(now->address);
	struct twin *t = has_twin(now->address) ? twin_of(now->address) : NULL;

	if (t && covers(t->write, now->half))
		return;
	if (SEGMENT(c->write) != SEGMENT(now->half))
		c->write = meet(now, c->write, true, 0);
	c->read = meet(now, c->read, false, 0);
	if (t) {
		t->write = meet(now, t->write, true, 0);
		t->read = meet(now, t->read, false, 0);
		meet_record(now, t, 0);
	}
	if (take_half(now->half, &c->write, t ? &t->write : NULL)) {
		if (t)
			leave_twin(now->address, t);
		return;
	}
	t = use_twin(now->address);
	if (!take_half(now->half, &c->write, &t->write))
		push_half(now, &t->write, WROTE);
}

/* An access to one cell; most are told by the first few lines.  5 ns, 20 where there is a twin. */
static inline void read_one(uint64_t address, uint32_t half, const struct omen_site *site)
{
	struct omen_cell *c = omen_cell(address);

	if (likely(!has_twin(address)) && (SEGMENT(c->write) == SEGMENT(half) || clock_before(SEGMENT(c->write)))) {
		if (SEGMENT(c->read) == SEGMENT(half)) {
			c->read |= half;
			return;
		}
		if (!(BYTES(c->read) & ~half) && clock_before(SEGMENT(c->read))) {
			c->read = half;
			return;
		}
	}
	read_cell(&(struct now){.address = address, .half = half, .site = site});
}

static inline void write_one(uint64_t address, uint32_t half, uint32_t flags, const struct omen_site *site)
{
	struct omen_cell *c = omen_cell(address);

	if (likely(!has_twin(address)) && (SEGMENT(c->read) == SEGMENT(half) || clock_before(SEGMENT(c->read)))) {
		if (SEGMENT(c->write) == SEGMENT(half)) {
			c->write |= half;
			return;
		}
		if (!(BYTES(c->write) & ~half) && clock_before(SEGMENT(c->write))) {
			c->write = half;
			return;
		}
	}
	write_cell(&(struct now){.address = address, .half = half, .flags = flags, .site = site});
}

void shadow_read(uint64_t address, uint32_t bytes, const struct omen_site *site)
{
	if (likely(address >= LOWEST))
		read_one(address & ~7ul, clock_segment() << 8 | bytes, site);
}

void shadow_write(uint64_t address, uint32_t bytes, const struct omen_site *site)
{
	if (likely(address >= LOWEST))
		write_one(address & ~7ul, clock_segment() << 8 | bytes, ACCESS_WRITE, site);
}

static inline void access_cell(uint64_t address, uint32_t segment, uint32_t bytes, uint32_t flags,
                               const struct omen_site *site)
{
	const struct omen_cell *c = omen_cell(address);
	uint32_t half = segment << 8 | bytes;

	if (unlikely(precise() || (flags & ACCESS_ATOMIC)))
		access_recorded(&(struct now){.address = address, .half = half, .flags = flags, .site = site});
	else if (covers(flags & ACCESS_WRITE ? c->write : c->read, half))
		return;
	else if (flags & ACCESS_WRITE)
		write_one(address, half, flags, site);
	else
		read_one(address, half, site);
}

void shadow_access(uint64_t address, uint64_t size, uint32_t flags, const struct omen_site *site)
{
	if (!omen.detecting || omen.off || unlikely(address < LOWEST) || access_ignored(flags & ACCESS_WRITE))
		return;
	if (unlikely(omen.explaining)) {
		explain_access(address, size, flags, site);
		return;
	}
	uint32_t segment = clock_segment() | (flags & ACCESS_ATOMIC ? 1 : 0);
	for (uint64_t end = address + size; address < end;) {
		uint64_t offset = address & 7, n = 8 - offset < end - address ? 8 - offset : end - address;
		uint32_t bytes = ((1u << n) - 1) << offset;
		access_cell(address - offset, segment, bytes, flags, site);
		address += n;
	}
}

void shadow_range_read(const void *address, size_t size, const struct omen_site *site)
{
	shadow_access((uint64_t)address, size, 0, site);
}

void shadow_range_write(void *address, size_t size, const struct omen_site *site)
{
	shadow_access((uint64_t)address, size, ACCESS_WRITE, site);
}

/* ---- new lives ---- */

static void clear_twin(uint64_t address)
{
	struct twin *t = twin_of(address);
	struct record *r = record_of(t);

	if (r)
		drop_record(t, r);
	if (t->link & OBJECT)
		order_forget(address);
	*t = (struct twin){0};
}

void shadow_clear(uint64_t address, uint64_t size)
{
	if (!omen.detecting || omen.off)
		return;
	if (unlikely(omen.explaining))
		explain_clear(address, size);
	for (uint64_t at = address & ~7ul; at < address + size; at += 8) {
		if (unlikely(has_twin(at)))
			clear_twin(at);
		*omen_cell(at) = (struct omen_cell){0};
	}
}

void shadow_unmapped(uint64_t low, uint64_t high)
{
	if (!omen.detecting)
		return;
	if (unlikely(omen.explaining))
		explain_clear(low, high - low);
	/* records stay behind: few, and found by nobody */
	raw3(SYS_madvise, low ^ OMEN_CELLS, high - low, MADV_DONTNEED);
	raw3(SYS_madvise, twin_of(low), (high - low) * 2, MADV_DONTNEED);
}

void shadow_mark_object(uint64_t address)
{
	if (address >> 47 == 0)
		use_twin(address)->link |= OBJECT;
}

/* ---- when the segment ids are used up ---- */

/* Forgets what is past; what is left of a half keeps its segment. */
static uint32_t sweep_half(uint32_t half, uint64_t *kept)
{
	uint32_t pair = SEGMENT(half) >> 1;

	if (!BYTES(half) || clock_is_past(SEGMENT(half)))
		return 0;
	kept[pair / 64] |= 1ul << pair % 64;
	return half;
}

static void sweep_twin(uint64_t address, uint64_t *kept)
{
	struct twin *t = twin_of(address);
	struct record *r = record_of(t);
	uint32_t n = 0;

	t->write = sweep_half(t->write, kept);
	t->read = sweep_half(t->read, kept);
	for (uint32_t i = 0; r && i < r->n; i++)
		if (sweep_half(r->past[i].half, kept))
			r->past[n++] = r->past[i];
	if (r)
		r->n = n;
	if (r && !n)
		drop_record(t, r);
}

static void sweep_page(uint64_t low, uint64_t *kept)
{
	for (uint64_t at = low; at < low + 4096; at += 8) {
		struct omen_cell *c = omen_cell(at);
		c->write = sweep_half(c->write, kept);
		c->read = sweep_half(c->read, kept);
		if (has_twin(at))
			sweep_twin(at, kept);
	}
}

/* Only pages of cells that were ever written: /proc/self/pagemap has a word a page, 0 where there is none. */
static bool sweep_mapping(long pagemap, const struct mapping *m, uint64_t *kept)
{
	static uint64_t pages[512];

	for (uint64_t at = m->low; at < m->high;) {
		uint64_t n = (m->high - at) / 4096 < 512 ? (m->high - at) / 4096 : 512;
		uint64_t offset = ((uint64_t)omen_cell(at) / 4096) * sizeof(*pages);
		if (raw4(SYS_pread64, pagemap, pages, n * sizeof(*pages), offset) != (long)(n * sizeof(*pages)))
			return false;
		for (uint64_t i = 0; i < n; i++)
			if (pages[i])
				sweep_page(at + i * 4096, kept);
		at += n * 4096;
	}
	return true;
}

bool shadow_sweep(uint64_t *kept)
{
	long pagemap = raw3(SYS_open, "/proc/self/pagemap", O_RDONLY | O_CLOEXEC, 0);
	bool ok = pagemap >= 0 && maps_read();
	struct mapping m;
	uint64_t low, high;

	while (ok && maps_next(&m)) {
		bool ours =
		        !m.writable || m.low == BOARD_ADDRESS || m.low == ARENA_ADDRESS || m.low == SEGMENTS_ADDRESS;
		for (uint32_t i = 0; shadow_range(i, &low, &high); i++)
			ours = ours || (m.low >= low && m.low < high);
		if (!ours)
			ok = sweep_mapping(pagemap, &m, kept);
	}
	raw1(SYS_close, pagemap);
	return ok;
}
