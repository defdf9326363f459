/*
 * The race check (docs/design.md, "Detection").
 *
 * Every 8 bytes have a cell: the last write and the last read, each with its segment and bytes.  Two accesses race if
 * they have a byte in common, one of them writes, not both are atomic, and neither happened before the other; an access
 * is compared with everything that the 8 bytes still know of, and then makes them forget what can tell no more than it
 * does itself: an access that happened before it and that is no stronger (a plain access is stronger than an atomic
 * one, a write stronger than a read).  Whoever races with the forgotten one later, races with this one.
 *
 * A cell has room for two of each, the last one first.  What does not fit (more readers, other bytes by other segments,
 * atomics) goes on a record; few cells have one, so a bit for each cell says whether to look for it.
 *
 * Of a fiber that comes back to the same bytes in a later segment the newer access takes the older one's place, without
 * another look (shadow_again).  That is so because the first of the two halves is only left where it is while nobody
 * else's access could make a difference: a write takes its bytes out of the reads that it knows of, and whoever reads
 * what another wrote, or uses it atomically, moves that half away from the first place.
 *
 * Where there will be a replay (`merging`) halves of the running fiber become one rather than go on record, and its
 * reads join what it has on record of reads: no plain write of another leaves those as they are either.  Then all their
 * bytes count as accessed by the newest of them, which can miss nothing (whoever races with the old access races with
 * the new one), but what is found by such a half need not be a race: its bytes are told for the replay to look at, and
 * nothing else.
 *
 * While exploring every access comes by here anyway; then (`precise`) all are put on record, with their sites, so that
 * every distinct pair is told.  Otherwise the sites of past accesses are for the explaining replay to find.
 */
#include "rt/shadow/race_check.h"

#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>

#include "rt/core/arch/x86_64/raw.h"
#include "rt/core/arena.h"
#include "rt/shadow/cells.h"
#include "rt/clock/clock.h"
#include "rt/core/regions.h"
#include "rt/core/op.h"
#include "rt/shadow/overflow.h"
#include "rt/core/maps.h"
#include "rt/shadow/above.h"
#include "rt/core/pool.h"
#include "rt/shadow/race_table.h"
#include "rt/core/text.h"
#include "rt/shadow/watch.h"

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

void shadow_start(void)
{
	find_places();
	link_start(shadow_is_precise());
	cells_start();
}

/* ---- records ---- */

/* A link: the number of a record, and: */
#define RECORD  (1u << 31)
#define OBJECT  (1u << 30) /* something that orders lives here */
#define WRITES  (1u << 29) /* there are or were some on record: only reads if not, and they need not be looked at */
#define NUMBERS (WRITES - 1)

/* An access that the 8 bytes still know of. */
struct past {
	uint32_t half; /* segment and bytes, as in a cell */
	uint32_t site; /* its number; WROTE */
};

#define WROTE  (1u << 31)
#define FREED  (1u << 30)
#define SITES  (FREED - 1)
#define MERGED (3u << 28) /* instead of a site: of a half that was merged */

struct record {
	uint32_t n, room;
	struct past past[];
};

#define FIRST_ROOM 3

static size_t record_size(uint32_t room) { return sizeof(struct record) + room * sizeof(struct past); }

static struct record *record_of(const uint32_t *link)
{
	if (likely(!(*link & RECORD)))
		return NULL;
	return (struct record *)(ARENA_ADDRESS + (uint64_t)(*link & NUMBERS) * POOL_UNIT);
}

static void put_record(uint32_t *link, const struct record *r)
{
	uint64_t number = ((uint64_t)r - ARENA_ADDRESS) / POOL_UNIT;

	if (number > NUMBERS)
		text_die("more accesses to remember than there is room for");
	*link = RECORD | (*link & (OBJECT | WRITES)) | (uint32_t)number;
}

static void drop_record(uint32_t *link, struct record *r)
{
	*link &= OBJECT;
	pool_free(r, record_size(r->room));
}

static void add_past(uint32_t *link, uint32_t half, uint32_t site)
{
	struct record *r = record_of(link);

	if (!r) {
		r = pool_alloc(record_size(FIRST_ROOM));
		*r = (struct record){.room = FIRST_ROOM};
		put_record(link, r);
	} else if (r->n == r->room) {
		uint32_t room = 2 * r->room + 1; /* with the header: powers of two */
		struct record *bigger = pool_alloc(record_size(room));
		memcpy(bigger, r, record_size(r->n));
		bigger->room = room;
		pool_free(r, record_size(r->room));
		r = bigger;
		put_record(link, r);
	}
	r->past[r->n++] = (struct past){half, site};
	if (site & WROTE)
		*link |= WRITES;
}

/* ---- the check ---- */

#define BYTES(half)    ((half) & OMEN_CELL_BYTES)
#define SEGMENT(half)  ((half) >> 8)
#define IS_ATOMIC(seg) ((seg) & 1)

/* In a cell nothing is atomic: there this bit says that the half was merged. */
static inline bool same_segment(uint32_t half, uint32_t now) { return !((half ^ now) & SHADOW_SEGMENT); }
static inline bool same_owner(uint32_t half, uint32_t now) { return !((half ^ now) & OMEN_CELL_OWNER); }

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

struct shadow_load shadow_last_load;

/* What nobody can race with any more goes when its room is wanted. */
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
		drop_record(link, r);
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
	add_past(link_use(address), half & ~OMEN_CELL_MERGED, wrote | (half & OMEN_CELL_MERGED ? MERGED : 0));
}

/* Nothing to remember, or nothing that anybody could race with. */
static inline bool is_free(uint32_t half) { return !BYTES(half) || clock_is_past(SEGMENT(half)); }

/* Has another one a half here that would not learn of this access? */
static inline bool is_in_way(uint32_t half, uint32_t now)
{
	return BYTES(half & now) && !same_owner(half, now) && granule_of(SEGMENT(half))->fiber != omen.current->id;
}

/* Whose half it is has to look again before the next access of this kind. */
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

/* Of the bytes that are accessed now: is what has been done to them known to have happened before? */
static inline bool is_known(uint32_t half, uint32_t now) { return !BYTES(half & now) || known_before(half, now); }

/* Plain accesses in the cell need neither be told of an atomic one, nor moved away because of it. */
static inline bool cell_stays(const struct omen_cell *c, const struct now *now)
{
	uint32_t half = now->half;

	if (!is_known(c->write, half) || !is_known(c->other_write, half) || is_in_way(c->write, half))
		return false;
	return !(now->flags & ACCESS_WRITE) ||
	       (is_known(c->read, half) && is_known(c->other_read, half) && !is_in_way(c->read, half));
}

/*
 * The one atomic access on record that the new one makes forgotten, of just its bytes.  NULL: there is none, or more is
 * to be done.
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

/* The same as without, in less time: locks that are taken again and again come here, and counters of references. */
static bool replace_on_record(const struct now *now, uint32_t site)
{
	uint32_t *link = link_place(now->address);
	struct record *r = !mode_is(PRECISE) && link_is_used(now->address) ? record_of(link) : NULL;

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

/* An access that is put on record: atomic ones, and all when sites are wanted. */
static void access_recorded(const struct now *now)
{
	uint32_t wrote = now->flags & ACCESS_WRITE ? WROTE : 0;
	uint32_t site = site_number(now->site) | wrote | (now->flags & ACCESS_FREE ? FREED : 0);

	if (replace_on_record(now, site))
		return;
	uint32_t *link = link_use(now->address);
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
	add_past(link, now->half, site);
}

static inline bool covers(uint32_t half, uint32_t now) { return same_segment(half, now) && !(BYTES(now) & ~half); }

/* What the running segment has on record for the same kind of access joins the new one. */
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
		drop_record(link, r);
	return half;
}

/* The access becomes the first of the two; what was there the other, and what was that goes on record. */
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
	if (link_is_used(now->address))
		half = take_from_record(half, link_place(now->address), wrote);
	if (!is_free(*first)) {
		if (!is_free(*other))
			put_on_record(now->address, *other, wrote);
		*other = *first;
	}
	*first = half;
}

/* An access takes the place of one that it is at least as strong as, if it has all its bytes. */
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

/* The access becomes the first of the two, if there is room without a record. */
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

/* There is no room for a third, and the two that are there can become one with it. */
static inline bool can_merge(uint32_t first, uint32_t other)
{
	return mode_is(MERGE) && is_own(first) && is_own(other);
}

/* Reads: all three. They are by far the most, and are told inline from then on. */
static void merge_reads(uint32_t half, uint32_t *first, uint32_t *other)
{
	*first = half | BYTES(*first) | BYTES(*other) | OMEN_CELL_MERGED;
	*other = 0;
}

/* Writes: the two that are there, as of the newer one, so that fewer seem to race that do not. */
static void merge_writes(uint32_t half, uint32_t *first, uint32_t *other)
{
	uint32_t newer = !same_owner(*first, *other) ? half : *first > *other ? *first : *other;

	*other = (newer & SHADOW_SEGMENT) | BYTES(*first) | BYTES(*other) | OMEN_CELL_MERGED;
	*first = half;
}

/* Who has read what is written now has to look again before he reads it once more. */
static inline void unread(struct omen_cell *c, uint32_t half)
{
	if (is_in_way(c->read, half))
		c->read &= ~BYTES(half);
	if (is_in_way(c->other_read, half))
		c->other_read &= ~BYTES(half);
}

/* What of an older read of the fiber's own stays with the new one: its bytes. */
static inline uint32_t joined(uint32_t half, uint32_t own)
{
	return BYTES(own) & ~half ? half | BYTES(own) | OMEN_CELL_MERGED : half;
}

/* There is no room, but one of the two is the fiber's own: it becomes one with the new one. */
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
 * Who reads what he has written in the same segment tells nothing new: the write stands for both, so that the read need
 * not come here.  Only where a replay tells what it was.
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

/* The same if nothing is there that the access does not know of. */
static inline bool put_known(struct omen_cell *c, const struct now *now)
{
	uint32_t half = now->half;

	if (!known_before(c->write, half) || !known_before(c->other_write, half))
		return false;
	if (!(now->flags & ACCESS_WRITE))
		return put_read(c, half);
	return known_before(c->read, half) && known_before(c->other_read, half) && put_write(c, half);
}

static inline bool has_record(uint64_t address) { return link_is_used(address) && record_of(link_place(address)); }

static bool is_on_record(uint64_t address, uint32_t half)
{
	const struct record *r = record_of(link_place(address));

	for (uint32_t i = 0; r && i < r->n; i++)
		if (BYTES(r->past[i].half) & half)
			return true;
	return false;
}

/* The bytes that were written by an access on record. */
static uint32_t written_on_record(const struct record *r)
{
	uint32_t bytes = 0;

	for (uint32_t i = 0; r && i < r->n; i++)
		if (r->past[i].site & WROTE)
			bytes |= BYTES(r->past[i].half);
	return bytes;
}

/*
 * A read where more fibers read by turns than a cell has room for: with nothing but reads of these bytes on record
 * there is nothing to look for, and what the fiber has there itself joins the new one, but for bytes that are written
 * by an access on record: who reads those has to look.  (Fields beside an atomic come here.)
 */
static bool read_by_turns(uint64_t address, uint32_t half)
{
	struct omen_cell *c = omen_cell(address);
	uint32_t *link = link_place(address), kept = 0;

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
		drop_record(link, r);
		link_leave(address);
	}
	return true;
}

/* Any access to one cell. */
static void access_fully(const struct now *now)
{
	struct omen_cell *c = omen_cell(now->address);

	omen.cells_used = true;
	meet_cell(now, c);
	if (link_is_used(now->address)) {
		meet_record(now, link_place(now->address), 0);
		link_leave(now->address);
	}
	move_away_both(now, c);
	if (!has_record(now->address) && put_known(c, now))
		return;
	if (now->flags & ACCESS_WRITE)
		put_half(now, &c->write, &c->other_write);
	else
		put_half(now, &c->read, &c->other_read);
}

/* Nobody has been here. */
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
 * An access to one cell; most are told by the first few lines, in about 5 ns.  True if nothing but the cell had a say
 * in it: the same access to a cell that is the same makes the same of it.
 */
static inline bool read_one(uint64_t address, uint32_t half, const struct omen_site *site)
{
	struct omen_cell *c = omen_cell(address);
	bool linked = link_is_used(address);

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
	bool linked = link_is_used(address);

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

/* A read of some bytes of a cell that counts as one of all, if it can be told without more ado. */
static bool read_all_of(uint64_t address, uint32_t half)
{
	struct omen_cell *c = omen_cell(address);
	uint32_t all = half | OMEN_CELL_BYTES | OMEN_CELL_MERGED;

	return mode_is(MERGE) && known_before(c->write, half) && known_before(c->other_write, half) &&
	       !is_in_way(c->write, all) && !link_is_used(address) && put_read(c, all);
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

/* True: as with read_one(). */
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

/* Who reads words at any place walks through text as well. */
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

/* A cell in two words. It may just have been written by halves: read so, too, or the processor waits for them. */
static inline void words_of(const struct omen_cell *cell, uint64_t words[2])
{
	const volatile struct omen_cell *c = cell;

	words[0] = c->write | (uint64_t)c->read << 32;
	words[1] = c->other_write | (uint64_t)c->other_read << 32;
}

/*
 * Plain accesses to whole cells: `address` and `end` are multiples of 8.  Memory that is accessed by ranges has mostly
 * been so before, and then neighbours' cells are alike: what the first one becomes, the next ones become, too.
 */
static void access_cells(uint64_t address, uint64_t end, uint32_t segment, uint32_t flags, const struct omen_site *site)
{
	uint64_t was[2], is[2];

	while (address < end) {
		words_of(omen_cell(address), was);
		bool alike = access_cell(address, segment, OMEN_CELL_BYTES, flags, site);
		words_of(omen_cell(address), is);
		for (address += 8; alike && address < end && !link_is_used(address); address += 8) {
			struct omen_cell *c = omen_cell(address);
			uint64_t there[2];
			memcpy(there, c, sizeof(there));
			if ((there[0] ^ was[0]) | (there[1] ^ was[1]))
				break;
			memcpy(c, is, sizeof(is));
		}
	}
}

#define LINE    32   /* bytes, whose cells are in one line */
#define FETCHED 1024 /* behind them the processor has understood where this goes */

/* What the detector does with an access to memory that is there. */
static void detect(uint64_t address, uint64_t size, uint32_t flags, const struct omen_site *site)
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

/* Can it race, and is it to be counted? */
static bool counts(uint64_t address, uint64_t size, uint32_t flags)
{
	return (mode_is(DETECT) || mode_is(PAST_RACE)) && !omen.off && shadow_is_place(address) &&
	       !access_ignored(flags & ACCESS_WRITE) && likely(!watch_passes(address, size));
}

/* Observers hear of it first.  True: nobody else need see it. */
static __attribute__((noinline)) bool is_observed(bool counted, uint64_t address, uint64_t size, uint32_t flags,
                                                  const struct omen_site *site)
{
	return op_tell(&(struct op){.kind = counted ? OP_KIND_ACCESS : OP_KIND_IGNORED_ACCESS,
	                            .flags = flags,
	                            .object = (const void *)address,
	                            .size = size,
	                            .site = site});
}

void shadow_access(uint64_t address, uint64_t size, uint32_t flags, const struct omen_site *site)
{
	bool counted = counts(address, size, flags);

	if (unlikely(mode_any(MODES_THAT_OBSERVE)) && is_observed(counted, address, size, flags, site))
		return;
	if (counted && mode_is(DETECT))
		detect(address, size, flags, site);
}

/*
 * What a fiber has used in the segment that it is in, and nobody else has run since: to look again would tell nothing
 * new.
 */
#define USES 16

static struct use {
	uint64_t address, switches;
	uint32_t segment;
} uses[USES];

static struct use *use_of(uint64_t address) { return &uses[(address >> 3 ^ address >> 7) % USES]; }

static bool is_used_again(uint64_t address)
{
	struct use *u = use_of(address), now = {address, omen.switches, clock_segment()};

	if (u->address == now.address && u->segment == now.segment && u->switches == now.switches)
		return true;
	*u = now;
	return false;
}

static __attribute__((noinline)) void detect_use(uint64_t address, uint64_t size)
{
	uint32_t half = (clock_segment() | 1) << 8 | shadow_bytes(address, (unsigned)size);

	access_recorded(&(struct now){.address = address & ~7ul, .half = half, .flags = ACCESS_ATOMIC});
}

/* The steps have operations of their own for these, and what they do to the memory itself a trace must not show. */
void shadow_object(uint64_t address, uint64_t size, uint32_t flags)
{
	bool is_use = flags == ACCESS_ATOMIC && (address & 7) + size <= 8;

	if (omen.off || access_ignored(flags & ACCESS_WRITE) || !shadow_is_place(address) ||
	    unlikely(watch_passes(address, size)) || !(mode_is(DETECT) || mode_is(PAST_RACE)))
		return;
	if (OP(OBJECT_ACCESS, .object = (const void *)address, .size = size, .flags = flags) || !mode_is(DETECT))
		return;
	if (!is_use)
		detect(address, size, flags, NULL);
	else if (!is_used_again(address))
		detect_use(address, size);
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

static void clear_link(uint64_t address, void *arg)
{
	uint32_t *link = link_find(address);
	struct record *r = record_of(link);

	(void)arg;
	shadow_forget_load(address);
	use_of(address)->address = 0;
	if (r)
		drop_record(link, r);
	if (*link & OBJECT)
		order_forget(address);
	*link = 0;
	link_leave(address);
}

static void clear(uint64_t address, uint64_t size)
{
	link_visit(address, address + size, clear_link, NULL);
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
	if (size >= LARGE && low_page < high_page) { /* what was never touched stays so */
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
		raw3(SYS_madvise, omen_cell(low), (high - low) * 2, MADV_DONTNEED);
	link_visit(low, high, clear_link, NULL);
}

void shadow_mark_object(uint64_t address)
{
	if (address >> 47 == 0)
		*link_use(address & ~7ul) |= OBJECT;
}

/* ---- when the segment ids are used up ---- */

/* Forgets what is past; what is left of a half keeps its segment. */
static uint32_t sweep_half(uint32_t half, uint64_t *kept)
{
	if (!BYTES(half) || clock_is_past(SEGMENT(half)))
		return 0;
	clock_keep(SEGMENT(half), kept);
	return half;
}

static void sweep_record(uint64_t address, void *arg)
{
	uint32_t *link = link_find(address), n = 0;
	struct record *r = record_of(link);
	uint64_t *kept = arg;

	shadow_forget_load(address);
	for (uint32_t i = 0; r && i < r->n; i++)
		if (sweep_half(r->past[i].half, kept))
			r->past[n++] = r->past[i];
	if (r)
		r->n = n;
	if (r && !n)
		drop_record(link, r);
	link_leave(address);
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
	link_visit(low_page, high_page, free_linked, NULL);
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
		            m.low == SEGMENTS_ADDRESS || m.low == GUARD;
		for (uint32_t i = 0; cells_range(i, &low, &high); i++)
			ours = ours || (m.low >= low && m.low < high);
		if (ours)
			continue;
		link_visit(m.low, m.high, sweep_record, kept);
		ok = !omen.cells_used || cells_visit(m.low, m.high, sweep_page, kept);
	}
	return ok;
}
