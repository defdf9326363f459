/*
 * The race check (docs/design.md, "Detection").
 *
 * Every 8 bytes have a cell: the last write and the last read, each with its segment and bytes (a *half*).  Two
 * accesses race if they have a byte in common, one of them writes, not both are atomic, and neither happened before the
 * other.  An access is compared with everything that the cell still holds.  Then it replaces what tells no more than
 * itself: an access that happened before it and is no stronger (a plain access is stronger than an atomic one, a write
 * stronger than a read).  Whatever races with the replaced access later, races with this one too.
 *
 * A cell has room for two of each kind, the last one first.  What does not fit (more readers, other bytes by other
 * segments, atomics) goes on a record.  Few cells have one, so a bit for each cell says whether to look for it.
 *
 * When a fiber comes back to the same bytes in a later segment, the newer access replaces the older one with no further
 * check (shadow_again).  This is sound because a half stays in the first place only while no other fiber's access could
 * make a difference.  A write removes its bytes from the reads that it knows of.  A read of what another fiber wrote,
 * or an atomic access to it, moves that half away from the first place.
 *
 * Where there will be a replay (`merging`), halves of the running fiber merge instead of going on record, and its reads
 * join the reads that it has on record: a plain write of another fiber removes those as well.  Then all their bytes
 * count as accessed by the newest of them.  That misses nothing (whatever races with the old access races with the new
 * one), but a match with a merged half need not be a race: its bytes are reported for the replay to look at, and
 * nothing else.
 *
 * While exploring (MODE(PRECISE)) every access is put on record with its site, so that every distinct pair is reported.
 * Otherwise the explaining replay finds the sites of past accesses.
 */
#include "rt/shadow/race_check.h"

#include <string.h>

#include "rt/shadow/cells.h"
#include "rt/core/op.h"
#include "rt/shadow/race_record.h"
#include "rt/shadow/race_table.h"
#include "rt/shadow/watch.h"

static COLD void raced(const struct now *now, uint32_t half, bool wrote, uint32_t site)
{
	uint32_t segment = SEGMENT(half);

	if ((site & SITES) == MERGED) {
		race_possible(now->address, BYTES(half) & BYTES(now->half));
		return;
	}
	race_found(&(struct race){.address = now->address,
	                          .bytes = BYTES(half) & BYTES(now->half),
	                          .past_fiber = granule_of(segment)->fiber,
	                          .past_flags = (wrote ? ACCESS_WRITE : 0) | (IS_ATOMIC(segment) ? ACCESS_ATOMIC : 0) |
	                                        (site & FREED ? ACCESS_FREE : 0),
	                          .past_site = site_of(site & SITES),
	                          .flags = now->flags,
	                          .site = now->site});
}

/* Compares with one past access.  Returns the part of it that must be remembered. */
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
	return half & ~common; /* it is known now that the byte races */
}

/* Where pairs of sites count, an access is forgotten only for one at the same site. */
static uint32_t meet_precisely(const struct now *now, uint32_t site, const struct past *p)
{
	uint32_t left = meet(now, p->half, p->site & WROTE, p->site);

	return p->site == site && clock_before(SEGMENT(p->half)) ? left : p->half;
}

/*
 * Compares with everything on record.  When the record is full, accesses that can race with nothing any more are
 * removed.
 */
static void meet_record(const struct now *now, uint32_t *link, uint32_t site)
{
	struct record *r = record_of(link);
	uint32_t kept = 0;

	if (!r)
		return;
	bool full = !mode_is(PRECISE) && r->n == r->room;
	shadow_forget_load(now->address);
	for (uint32_t i = 0; i < r->n; i++) {
		struct past p = r->past[i];
		p.half = mode_is(PRECISE) ? meet_precisely(now, site, &p)
		                          : meet(now, p.half, p.site & WROTE, (p.site & SITES) == MERGED ? MERGED : 0);
		if (BYTES(p.half) && !(full && clock_is_past(SEGMENT(p.half))))
			r->past[kept++] = p;
	}
	r->n = kept;
	if (!kept)
		record_drop(link, r);
}

/* The same for a half of a cell. */
static inline void meet_half(const struct now *now, uint32_t *half, bool wrote)
{
	uint32_t merged = *half & OMEN_CELL_MERGED;

	*half = meet(now, *half & ~OMEN_CELL_MERGED, wrote, merged ? MERGED : 0) | merged;
}

static inline void meet_cell(const struct now *now, struct omen_cell *c)
{
	meet_half(now, &c->write, true);
	meet_half(now, &c->read, false);
	meet_half(now, &c->other_write, true);
	meet_half(now, &c->other_read, false);
}

static void put_on_record(uint64_t address, uint32_t half, uint32_t wrote)
{
	record_add(overflow_use(address), half & ~OMEN_CELL_MERGED, wrote | (half & OMEN_CELL_MERGED ? MERGED : 0));
}

/* Is there nothing to remember, or nothing that any access could race with? */
static inline bool is_free(uint32_t half) { return !BYTES(half) || clock_is_past(SEGMENT(half)); }

/* Has another fiber a half with these bytes here, and would not learn of this access? */
static inline bool is_in_way(uint32_t half, uint32_t now)
{
	return BYTES(half & now) && !same_owner(half, now) && granule_of(SEGMENT(half))->fiber != omen.current->id;
}

/* Demotes the half to the second place, so that its owner's next access of this kind takes the slow path. */
static void move_away(uint64_t address, uint32_t *first, uint32_t *other, uint32_t wrote)
{
	if (!is_free(*other))
		put_on_record(address, *other, wrote);
	*other = *first;
	*first = 0;
}

static void move_away_both(const struct now *now, struct omen_cell *c)
{
	if (is_in_way(c->write, now->half))
		move_away(now->address, &c->write, &c->other_write, WROTE);
	if ((now->flags & ACCESS_WRITE) && is_in_way(c->read, now->half))
		move_away(now->address, &c->read, &c->other_read, 0);
}

static inline bool is_own(uint32_t half) { return granule_of(SEGMENT(half))->fiber == omen.current->id; }

static inline bool known_before(uint32_t half, uint32_t now)
{
	return same_owner(half, now) || clock_before(SEGMENT(half));
}

/* Is everything that was done to the bytes accessed now known to have happened before? */
static inline bool is_known(uint32_t half, uint32_t now) { return !BYTES(half & now) || known_before(half, now); }

/*
 * Can the plain accesses in the cell stay as they are?  An atomic access need not be compared with them, and does not
 * move them away.
 */
static inline bool cell_stays(const struct omen_cell *c, const struct now *now)
{
	uint32_t half = now->half;

	if (!is_known(c->write, half) || !is_known(c->other_write, half) || is_in_way(c->write, half))
		return false;
	return !(now->flags & ACCESS_WRITE) ||
	       (is_known(c->read, half) && is_known(c->other_read, half) && !is_in_way(c->read, half));
}

/*
 * The one atomic access on record that the new one replaces, if it has exactly the same bytes.  NULL: there is none, or
 * more has to be done.
 */
static struct past *forgotten_by(const struct now *now, struct record *r)
{
	bool writes = now->flags & ACCESS_WRITE;
	struct past *one = NULL;

	for (uint32_t i = 0; i < r->n; i++) {
		struct past *p = &r->past[i];
		bool atomic = IS_ATOMIC(SEGMENT(p->half)), wrote = p->site & WROTE;
		if (!(BYTES(p->half) & now->half))
			continue;
		if (!clock_before(SEGMENT(p->half))) {
			if (!atomic && (writes || wrote))
				return NULL;
		} else if (atomic && (writes || !wrote)) {
			if (one || BYTES(p->half) != BYTES(now->half))
				return NULL;
			one = p;
		}
	}
	return one;
}

/*
 * A shortcut with the same result in less time.  Locks that are taken again and again come here, and reference counts.
 */
static bool replace_on_record(const struct now *now, uint32_t site)
{
	uint32_t *link = overflow_place(now->address);
	struct record *r = !mode_is(PRECISE) && overflow_is_used(now->address) ? record_of(link) : NULL;

	if (!r || !(now->flags & ACCESS_ATOMIC) || !cell_stays(omen_cell(now->address), now))
		return false;
	struct past *older = forgotten_by(now, r);
	if (!older)
		return false;
	*older = (struct past){now->half, site};
	if (site & WROTE) {
		*link |= WRITES;
		shadow_forget_load(now->address);
	}
	return true;
}

/* An access that is put on record: an atomic one, or any if sites are kept. */
static void access_recorded(const struct now *now)
{
	uint32_t wrote = now->flags & ACCESS_WRITE ? WROTE : 0;
	uint32_t site = site_number(now->site) | wrote | (now->flags & ACCESS_FREE ? FREED : 0);

	if (replace_on_record(now, site))
		return;
	uint32_t *link = overflow_use(now->address);
	const struct record *r = record_of(link);
	for (uint32_t i = 0; r && i < r->n; i++)
		if (SEGMENT(r->past[i].half) == SEGMENT(now->half) && r->past[i].site == site &&
		    !(BYTES(now->half) & ~r->past[i].half))
			return;
	meet_record(now, link, site);
	if (omen.cells_used) {
		meet_cell(now, omen_cell(now->address));
		move_away_both(now, omen_cell(now->address));
	}
	record_add(link, now->half, site);
}

static inline bool covers(uint32_t half, uint32_t now) { return same_segment(half, now) && !(BYTES(now) & ~half); }

/* Accesses of the same kind that the running segment has on record join the new one. */
static uint32_t take_from_record(uint32_t half, uint32_t *link, uint32_t wrote)
{
	struct record *r = record_of(link);
	uint32_t kept = 0;

	for (uint32_t i = 0; r && i < r->n; i++)
		if (SEGMENT(r->past[i].half) == SEGMENT(half & ~OMEN_CELL_MERGED) && (r->past[i].site & WROTE) == wrote)
			half |= BYTES(r->past[i].half) | ((r->past[i].site & SITES) == MERGED ? OMEN_CELL_MERGED : 0);
		else
			r->past[kept++] = r->past[i];
	if (r)
		r->n = kept;
	if (r && !kept)
		record_drop(link, r);
	return half;
}

/*
 * The access takes the first place.  What was there moves to the second place, and what was in the second goes on
 * record.
 */
static void put_half(const struct now *now, uint32_t *first, uint32_t *other)
{
	uint32_t wrote = now->flags & ACCESS_WRITE ? WROTE : 0, half = now->half;

	if (same_segment(*other, half)) {
		half |= *other;
		*other = 0;
	}
	if (same_segment(*first, half)) {
		*first |= half;
		return;
	}
	if (overflow_is_used(now->address))
		half = take_from_record(half, overflow_place(now->address), wrote);
	if (!is_free(*first)) {
		if (!is_free(*other))
			put_on_record(now->address, *other, wrote);
		*other = *first;
	}
	*first = half;
}

/* The access replaces a half that it is at least as strong as, if it has all the half's bytes. */
static inline bool take_place(uint32_t now, uint32_t *half)
{
	if (same_segment(*half, now)) {
		*half |= now;
		return true;
	}
	if (BYTES(*half) & ~now || !known_before(*half, now))
		return false;
	*half = now;
	return true;
}

/* The access takes the first place, if that needs no record. */
static inline bool put_one(uint32_t half, uint32_t *first, uint32_t *other)
{
	omen.cells_used = true;
	if (!same_segment(*other, half) && take_place(half, first))
		return true;
	if (!take_place(half, other))
		return false;
	uint32_t mine = *other;
	*other = *first;
	*first = mine;
	return true;
}

/* There is no room for a third half.  Can the two that are there merge, because both are the running fiber's? */
static inline bool can_merge(uint32_t first, uint32_t other)
{
	return mode_is(MERGE) && is_own(first) && is_own(other);
}

/* Reads: all three merge.  They are by far the most frequent, and the inline test handles them from then on. */
static void merge_reads(uint32_t half, uint32_t *first, uint32_t *other)
{
	*first = half | BYTES(*first) | BYTES(*other) | OMEN_CELL_MERGED;
	*other = 0;
}

/* Writes: the two that are there merge, as of the newer one.  So fewer bytes seem to race that do not. */
static void merge_writes(uint32_t half, uint32_t *first, uint32_t *other)
{
	uint32_t newer = !same_owner(*first, *other) ? half : *first > *other ? *first : *other;

	*other = (newer & SHADOW_SEGMENT) | BYTES(*first) | BYTES(*other) | OMEN_CELL_MERGED;
	*first = half;
}

/* A write drops other fibers' recorded reads of these bytes: their next reads take the slow path. */
static inline void unread(struct omen_cell *c, uint32_t half)
{
	if (is_in_way(c->read, half))
		c->read &= ~BYTES(half);
	if (is_in_way(c->other_read, half))
		c->other_read &= ~BYTES(half);
}

/* The new read, with the bytes of the fiber's own older read. */
static inline uint32_t joined(uint32_t half, uint32_t own)
{
	return BYTES(own) & ~half ? half | BYTES(own) | OMEN_CELL_MERGED : half;
}

/* There is no room, but one of the two reads is the fiber's own: it joins the new one. */
static inline bool join_read(struct omen_cell *c, uint32_t half)
{
	if (is_own(c->read)) {
		c->read = joined(half, c->read);
		return true;
	}
	if (!is_own(c->other_read))
		return false;
	uint32_t own = c->other_read;
	c->other_read = c->read;
	c->read = joined(half, own);
	return true;
}

static inline bool put_read(struct omen_cell *c, uint32_t half)
{
	if (put_one(half, &c->read, &c->other_read))
		return true;
	if (can_merge(c->read, c->other_read)) {
		merge_reads(half, &c->read, &c->other_read);
		return true;
	}
	return mode_is(MERGE) && join_read(c, half);
}

/*
 * A read of what the same segment has written tells nothing new.  So the write stands for both, and the read need not
 * take the slow path.  Only where a replay finds out which it was.
 */
static inline void put_read_too(struct omen_cell *c, uint32_t half)
{
	if (mode_is(MERGE) && !same_segment(c->other_read, half))
		take_place(half, &c->read);
}

static inline bool put_write(struct omen_cell *c, uint32_t half)
{
	if (!put_one(half, &c->write, &c->other_write)) {
		if (!can_merge(c->write, c->other_write))
			return false;
		merge_writes(half, &c->write, &c->other_write);
	}
	unread(c, half);
	put_read_too(c, half);
	return true;
}

/* The same, if the access knows everything that is in the cell. */
static inline bool put_known(struct omen_cell *c, const struct now *now)
{
	uint32_t half = now->half;

	if (!known_before(c->write, half) || !known_before(c->other_write, half))
		return false;
	if (!(now->flags & ACCESS_WRITE))
		return put_read(c, half);
	return known_before(c->read, half) && known_before(c->other_read, half) && put_write(c, half);
}

static inline bool has_record(uint64_t address)
{
	return overflow_is_used(address) && record_of(overflow_place(address));
}

static bool is_on_record(uint64_t address, uint32_t half)
{
	const struct record *r = record_of(overflow_place(address));

	for (uint32_t i = 0; r && i < r->n; i++)
		if (BYTES(r->past[i].half) & half)
			return true;
	return false;
}

/* The bytes that an access on record has written. */
static uint32_t written_on_record(const struct record *r)
{
	uint32_t bytes = 0;

	for (uint32_t i = 0; r && i < r->n; i++)
		if (r->past[i].site & WROTE)
			bytes |= BYTES(r->past[i].half);
	return bytes;
}

/*
 * A read where more fibers read by turns than a cell has room for.  If only reads of these bytes are on record, there
 * is nothing to compare, and the fiber's own reads on record join the new one.  This excludes bytes that an access on
 * record has written: a read of those needs the comparison.  (Fields beside an atomic come here.)
 */
static bool read_by_turns(uint64_t address, uint32_t half)
{
	struct omen_cell *c = omen_cell(address);
	uint32_t *link = overflow_place(address), kept = 0;

	if (!(*link & WRITES) && put_one(half, &c->read, &c->other_read))
		return true;
	struct record *r = record_of(link);
	uint32_t written = *link & WRITES ? written_on_record(r) : 0;
	if (written & half)
		return false;
	if (put_one(half, &c->read, &c->other_read))
		return true;
	if (written & (c->read | c->other_read))
		return false;
	for (uint32_t i = 0; r && i < r->n; i++) {
		struct past p = r->past[i];
		if (!((p.site & WROTE) || IS_ATOMIC(SEGMENT(p.half)) || (BYTES(p.half) & written)) && is_own(p.half))
			half = joined(half, p.half);
		else
			r->past[kept++] = p;
	}
	if (r)
		r->n = kept;
	if (!put_read(c, half)) {
		put_on_record(address, c->other_read, 0);
		c->other_read = c->read;
		c->read = half;
	} else if (r && !kept) {
		record_drop(link, r);
		overflow_leave(address);
	}
	return true;
}

/* Any access to one cell. */
static void access_fully(const struct now *now)
{
	struct omen_cell *c = omen_cell(now->address);

	omen.cells_used = true;
	meet_cell(now, c);
	if (overflow_is_used(now->address)) {
		meet_record(now, overflow_place(now->address), 0);
		overflow_leave(now->address);
	}
	move_away_both(now, c);
	if (!has_record(now->address) && put_known(c, now))
		return;
	if (now->flags & ACCESS_WRITE)
		put_half(now, &c->write, &c->other_write);
	else
		put_half(now, &c->read, &c->other_read);
}

/* No fiber has been here. */
static inline bool is_empty(const struct omen_cell *c)
{
	uint64_t halves[2];

	memcpy(halves, c, sizeof(halves));
	return !(halves[0] | halves[1]);
}

static inline void put_first(struct omen_cell *c, uint32_t write, uint32_t read)
{
	omen.cells_used = true;
	c->write = write;
	c->read = read;
}

/*
 * An access to one cell.  The first few lines decide most of them, in about 5 ns.  True if the cell alone decides it:
 * then the same access makes the same of every equal cell.
 */
static inline bool read_one(uint64_t address, uint32_t half, const struct omen_site *site)
{
	struct omen_cell *c = omen_cell(address);
	bool linked = overflow_is_used(address);

	if (likely(!linked) && is_empty(c)) {
		put_first(c, 0, half);
		return true;
	}
	if (known_before(c->write, half) && known_before(c->other_write, half) && !is_in_way(c->write, half) &&
	    (linked ? mode_is(MERGE) && read_by_turns(address, half) : put_read(c, half)))
		return !linked;
	access_fully(&(struct now){.address = address, .half = half, .site = site});
	return false;
}

static inline bool write_one(uint64_t address, uint32_t half, uint32_t flags, const struct omen_site *site)
{
	struct omen_cell *c = omen_cell(address);
	bool linked = overflow_is_used(address);

	if (likely(!linked) && is_empty(c)) {
		put_first(c, half, mode_is(MERGE) ? half : 0);
		return true;
	}
	if ((likely(!linked) || !is_on_record(address, half)) && known_before(c->read, half) &&
	    known_before(c->other_read, half) && known_before(c->write, half) && known_before(c->other_write, half) &&
	    put_write(c, half))
		return !linked;
	access_fully(&(struct now){.address = address, .half = half, .flags = flags, .site = site});
	return false;
}

/* Counts a read of some bytes of a cell as a read of all, if the cell alone decides it. */
static bool read_all_of(uint64_t address, uint32_t half)
{
	struct omen_cell *c = omen_cell(address);
	uint32_t all = half | OMEN_CELL_BYTES | OMEN_CELL_MERGED;

	return mode_is(MERGE) && known_before(c->write, half) && known_before(c->other_write, half) &&
	       !is_in_way(c->write, all) && !overflow_is_used(address) && put_read(c, all);
}

void shadow_read(uint64_t address, uint32_t bytes, const struct omen_site *site)
{
	uint32_t read = omen_cell(address)->read, half = clock_segment() << 8 | bytes;

	if (!shadow_is_place(address))
		return;
	address &= ~7ul;
	if (!same_segment(read, half) || !shadow_walks(read, bytes) || !read_all_of(address, half))
		read_one(address, half, site);
}

void shadow_write(uint64_t address, uint32_t bytes, const struct omen_site *site)
{
	if (shadow_is_place(address))
		write_one(address & ~7ul, clock_segment() << 8 | bytes, ACCESS_WRITE, site);
}

/* Returns the same as read_one(). */
static inline bool access_cell(uint64_t address, uint32_t segment, uint32_t bytes, uint32_t flags,
                               const struct omen_site *site)
{
	struct omen_cell *c = omen_cell(address);
	uint32_t half = segment << 8 | bytes, *mine = flags & ACCESS_WRITE ? &c->write : &c->read;

	if (unlikely(mode_is(PRECISE) || (flags & ACCESS_ATOMIC))) {
		access_recorded(&(struct now){.address = address, .half = half, .flags = flags, .site = site});
		return false;
	}
	if (covers(*mine, half) || shadow_again(mine, half))
		return true;
	return flags & ACCESS_WRITE ? write_one(address, half, flags, site) : read_one(address, half, site);
}

/* A fiber that reads words at any alignment walks through text as well. */
void shadow_read_across(uint64_t address, unsigned size, const struct omen_site *site)
{
	uint32_t segment = clock_segment() << 8, bytes = shadow_bytes(address, size);

	if (!shadow_is_place(address))
		return;
	for (address &= ~7ul; bytes; address += 8, bytes >>= 8) {
		uint32_t half = segment | BYTES(bytes);
		if (!covers(omen_cell(address)->read, half) && !read_all_of(address, half))
			read_one(address, half, site);
	}
}

/*
 * A cell as two words.  It may just have been written by halves, so it is read by halves, too; otherwise the processor
 * waits for the writes.
 */
static inline void words_of(const struct omen_cell *cell, uint64_t words[2])
{
	const volatile struct omen_cell *c = cell;

	words[0] = c->write | (uint64_t)c->read << 32;
	words[1] = c->other_write | (uint64_t)c->other_read << 32;
}

/*
 * Plain accesses to whole cells: `address` and `end` are multiples of 8.  Memory that is accessed by ranges was mostly
 * accessed so before, and then neighbouring cells are equal: what the first one becomes, the next ones become, too.
 */
static void access_cells(uint64_t address, uint64_t end, uint32_t segment, uint32_t flags, const struct omen_site *site)
{
	uint64_t was[2], is[2];

	while (address < end) {
		words_of(omen_cell(address), was);
		bool alike = access_cell(address, segment, OMEN_CELL_BYTES, flags, site);
		words_of(omen_cell(address), is);
		for (address += 8; alike && address < end && !overflow_is_used(address); address += 8) {
			struct omen_cell *c = omen_cell(address);
			uint64_t there[2];
			memcpy(there, c, sizeof(there));
			if ((there[0] ^ was[0]) | (there[1] ^ was[1]))
				break;
			memcpy(c, is, sizeof(is));
		}
	}
}

#define LINE    32   /* bytes, whose cells fill one cache line */
#define FETCHED 1024 /* bytes; after them the processor prefetches by itself */

/* What the detector does with an access to memory that exists. */
void shadow_detect(uint64_t address, uint64_t size, uint32_t flags, const struct omen_site *site)
{
	uint32_t segment = clock_segment() | (flags & ACCESS_ATOMIC ? 1 : 0);

	for (uint64_t at = address + LINE; at < address + size && at < address + FETCHED; at += LINE)
		__builtin_prefetch(omen_cell(at), 1);
	for (uint64_t end = address + size; address < end;) {
		uint64_t offset = address & 7, n = 8 - offset < end - address ? 8 - offset : end - address;
		uint32_t bytes = ((1u << n) - 1) << offset;
		if (bytes == OMEN_CELL_BYTES) {
			access_cells(address, end & ~7ul, segment, flags, site);
			address = end & ~7ul;
			continue;
		}
		access_cell(address - offset, segment, bytes, flags, site);
		address += n;
	}
}

/* Can the access race, and does it count? */
static bool counts(uint64_t address, uint64_t size, uint32_t flags)
{
	return (mode_is(DETECT) || mode_is(PAST_RACE)) && !omen.off && shadow_is_place(address) &&
	       !access_ignored(flags & ACCESS_WRITE) && likely(!watch_passes(address, size));
}

/* Tells the observers, which come first.  True: the detector need not see the access. */
static __attribute__((noinline)) bool is_observed(bool counted, uint64_t address, uint64_t size, uint32_t flags,
                                                  const struct omen_site *site)
{
	return op_tell(op_kinds(counted ? OP_KIND_ACCESS : OP_KIND_IGNORED_ACCESS, flags, OBJECT_NONE),
	               (const void *)address, size, 0, site, NULL);
}

void shadow_access(uint64_t address, uint64_t size, uint32_t flags, const struct omen_site *site)
{
	bool counted = counts(address, size, flags);

	if (unlikely(op_is_heard(ACCESS, IGNORED_ACCESS)) && is_observed(counted, address, size, flags, site))
		return;
	if (counted && mode_is(DETECT))
		shadow_detect(address, size, flags, site);
}

void shadow_detect_use(uint64_t address, uint64_t size)
{
	uint32_t half = (clock_segment() | 1) << 8 | shadow_bytes(address, (unsigned)size);

	access_recorded(&(struct now){.address = address & ~7ul, .half = half, .flags = ACCESS_ATOMIC});
}
