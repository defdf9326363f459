/*
 * Happens-before: what each fiber knows of the others, and the segments that its accesses belong to. happens_before.c
 * feeds the clocks; the detector, the store histories and the explaining replay ask them.
 */
#ifndef OMEN_CLOCK_H
#define OMEN_CLOCK_H

#include "rt/core/rt.h"

/* A vector clock: at[slot] is the last known epoch of that slot; 0 from n on. */
struct clock {
	uint32_t n, room;
	uint32_t at[];
};

/*
 * clock_join: *to learns what `from` knows. clock_copy: *to knows exactly what `from` knows.  `from` may be NULL, which
 * knows nothing.
 */
void clock_join(struct clock **to, const struct clock *from);
void clock_copy(struct clock **to, const struct clock *from);
/* The clock learns what this one fiber has done so far, and nothing of what that fiber knows of others. */
void clock_note(struct clock **c, const struct order *o);
/* Frees a clock and sets the pointer to NULL. */
void clock_drop(struct clock **c);

/* A new fiber begins with what the running one, its creator, knows; the first fiber with nothing. */
void clock_fiber_begins(struct fiber *f);
void clock_fiber_ends(struct fiber *f);

/*
 * A segment is a piece of a fiber between two of its releases.  Ids come in pairs: an even one for plain accesses, the
 * odd one after it for atomic ones.  A fiber takes a granule of pairs at a time for its next epochs, so that the table
 * of granules is small.
 */
#define SEGMENT_IDS   (1u << 24)
#define GRANULE_PAIRS 128
#define GRANULES      (SEGMENT_IDS / 2 / GRANULE_PAIRS)

struct granule {
	uint32_t epoch; /* of its first pair */
	uint32_t slot, fiber;
};
#define SEGMENTS_ADDRESS 0x7e200000ul /* right before the hot page, so that both share one page table of the kernel */
#define SEGMENTS_SIZE    (GRANULES * sizeof(struct granule))
#define granule_of(id)   (&((const struct granule *)SEGMENTS_ADDRESS)[(id) / (2 * GRANULE_PAIRS)])

static inline uint32_t epoch_of(uint32_t id) { return granule_of(id)->epoch + (id >> 1) % GRANULE_PAIRS; }

/* The running fiber's segment.  Begins one if there is none. */
uint32_t clock_open_segment(void);
static inline uint32_t clock_segment(void)
{
	uint32_t s = omen.current->order.segment;
	return likely(s) ? s : clock_open_segment();
}

/* Sets the stamp, which cells are compared with, to the running fiber's segment. */
static inline void clock_stamp(void)
{
	const uint32_t *ignores = omen.current->ignores; /* an access to be ignored must not match a cell */
	uint32_t s = mode_is(ALL_SLOW) || ignores[0] || ignores[1] ? 0 : omen.current->order.segment;

	if (!omen_hot->watch)
		omen_hot->stamp = OMEN_UNWATCHED;
	else if (unlikely((mode_is(CHECK_IN_CELLS) && !mode_is(ALL_SLOW)) ||
	                  (mode_is(ONLY_WATCHED) && !mode_is(EXPLAIN_VALUE))))
		omen_hot->stamp = 0; /* cells hold marks, or nothing */
	else
		omen_hot->stamp = s ? s << 8 | OMEN_CELL_BYTES : OMEN_NO_STAMP;
}

/*
 * Everything that the running fiber does from here on belongs to a new segment, because others are about to learn what
 * it did so far.
 */
void clock_release(void);

/* The same for all fibers. */
void clock_release_all(void);

/* Does the clock know of the segment?  Id 0 belongs to no fiber, and every clock knows it. */
static inline bool clock_knows(const struct clock *c, uint32_t id)
{
	uint32_t slot = granule_of(id)->slot;

	return slot < c->n && epoch_of(id) <= c->at[slot];
}

/* Did the segment's accesses happen before what the running fiber does now? */
static inline bool clock_before(uint32_t id) { return clock_knows(omen.current->order.clock, id); }

/* Did the segment's accesses happen before everything that any fiber will ever do? */
bool clock_is_past(uint32_t id);

/* Sets the bit of the segment's granule. */
static inline void clock_keep(uint32_t id, uint64_t *kept)
{
	uint32_t granule = id / (2 * GRANULE_PAIRS);
	kept[granule / 64] |= 1ul << granule % 64;
}

/*
 * Keeps the segment's granule if its accesses can still race.  Returns the id to remember from now on: 0, which every
 * clock knows, if they cannot.
 */
static inline uint32_t clock_sweep(uint32_t id, uint64_t *kept)
{
	if (clock_is_past(id))
		return 0;
	clock_keep(id, kept);
	return id;
}

/* Only one fiber lives, and it knows everything that ever happened.  So nothing it does can race. */
bool clock_solo(void);

#endif
