/* Happens-before: what each fiber knows of the others, and the segments their accesses belong to. */
#ifndef OMEN_CLOCK_H
#define OMEN_CLOCK_H

#include "rt/core/rt.h"

/* A vector clock: at[slot] is the last epoch of that slot that is known; 0 beyond n. */
struct clock {
	uint32_t n, room;
	uint32_t at[];
};

/* *to becomes what both know; what `from` knows. `from` may be NULL, knowing nothing. */
void clock_join(struct clock **to, const struct clock *from);
void clock_copy(struct clock **to, const struct clock *from);
/* Of this one fiber, the clock knows what the fiber has done so far. */
void clock_note(struct clock **c, const struct order *o);
/* Gives a clock back and forgets it. */
void clock_drop(struct clock **c);

/* A fiber that the running one makes begins with what that one knows; the first fiber with nothing. */
void clock_fiber_begins(struct fiber *f);
void clock_fiber_ends(struct fiber *f);

/*
 * Segments: a segment is a piece of a fiber between two of its releases.  Ids come in pairs, an even one for plain
 * accesses and the odd one after it for atomic ones; a fiber takes a granule of pairs at a time for its next epochs, so
 * that the table of them is small.
 */
#define SEGMENT_IDS   (1u << 24)
#define GRANULE_PAIRS 128
#define GRANULES      (SEGMENT_IDS / 2 / GRANULE_PAIRS)

struct granule {
	uint32_t epoch; /* of its first pair */
	uint32_t slot, fiber;
};
#define SEGMENTS_ADDRESS 0x7e200000ul /* right before the hot page: they share a table of the kernel's */
#define SEGMENTS_SIZE    (GRANULES * sizeof(struct granule))
#define granule_of(id)   (&((const struct granule *)SEGMENTS_ADDRESS)[(id) / (2 * GRANULE_PAIRS)])

static inline uint32_t epoch_of(uint32_t id) { return granule_of(id)->epoch + (id >> 1) % GRANULE_PAIRS; }

/* The running fiber's segment; one is begun if need be. */
uint32_t clock_open_segment(void);
static inline uint32_t clock_segment(void)
{
	uint32_t s = omen.current->order.segment;
	return likely(s) ? s : clock_open_segment();
}

/* The running fiber's segment is what cells are compared with. */
static inline void clock_stamp(void)
{
	const uint32_t *ignores = omen.current->ignores; /* an access that does not count is not to look like one */
	uint32_t s = mode_is(ALL_SLOW) || ignores[0] || ignores[1] ? 0 : omen.current->order.segment;

	if (!omen_hot->watch)
		omen_hot->stamp = OMEN_UNWATCHED;
	else if (unlikely((mode_is(CHECK_IN_CELLS) && !mode_is(ALL_SLOW)) ||
	                  (mode_is(ONLY_WATCHED) && !mode_is(EXPLAIN_VALUE))))
		omen_hot->stamp = 0; /* cells have marks, and are empty elsewhere */
	else
		omen_hot->stamp = s ? s << 8 | OMEN_CELL_BYTES : OMEN_NO_STAMP;
}

/* Whatever the running fiber does next belongs to a new segment: others are about to learn of what it did so far. */
void clock_release(void);

/* The same for all fibers. */
void clock_release_all(void);

/* Does the clock know of the segment?  Id 0 is nobody's, and known to all. */
static inline bool clock_knows(const struct clock *c, uint32_t id)
{
	uint32_t slot = granule_of(id)->slot;

	return slot < c->n && epoch_of(id) <= c->at[slot];
}

/* Did the segment's accesses happen before what the running fiber does now? */
static inline bool clock_before(uint32_t id) { return clock_knows(omen.current->order.clock, id); }

/* Did they happen before all that anybody will ever do? */
bool clock_is_past(uint32_t id);

/* Sets the bit of the segment's granule. */
static inline void clock_keep(uint32_t id, uint64_t *kept)
{
	uint32_t granule = id / (2 * GRANULE_PAIRS);
	kept[granule / 64] |= 1ul << granule % 64;
}

/* The same, if it is not past; returns what to remember instead: 0, which is known to all, for what is. */
static inline uint32_t clock_sweep(uint32_t id, uint64_t *kept)
{
	if (clock_is_past(id))
		return 0;
	clock_keep(id, kept);
	return id;
}

/* One fiber lives, and it knows all that ever happened: nothing it does can race. */
bool clock_solo(void);

#endif
