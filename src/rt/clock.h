/* Happens-before: what each fiber knows of the others, and the segments their accesses belong to. */
#ifndef OMEN_CLOCK_H
#define OMEN_CLOCK_H

#include "rt/rt.h"

/* A vector clock: at[slot] is the last epoch of that slot that is known; 0 beyond n. */
struct clock {
	uint32_t n, room;
	uint32_t at[];
};

/* *to becomes what both know; what `from` knows. `from` may be NULL, knowing nothing. */
void clock_join(struct clock **to, const struct clock *from);
void clock_copy(struct clock **to, const struct clock *from);
/* Gives a clock back and forgets it. */
void clock_drop(struct clock **c);

/* A fiber that the running one makes begins with what that one knows; the first fiber with nothing. */
void clock_fiber_begins(struct fiber *f);
void clock_fiber_ends(struct fiber *f);

/*
 * Segments: a segment is a piece of a fiber between two of its releases.  Ids come in pairs, an even one for plain
 * accesses and the odd one after it for atomic ones.
 */
#define SEGMENT_IDS (1u << 24)

struct segment {
	uint32_t slot, epoch, fiber;
};
#define SEGMENTS_ADDRESS 0x68000000ul /* close to the hot page and the arena */
#define SEGMENTS_SIZE    (SEGMENT_IDS / 2 * sizeof(struct segment))
#define segment_of(id)   (&((const struct segment *)SEGMENTS_ADDRESS)[(id) >> 1])

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
	uint32_t s = omen.watch_all ? 0 : omen.current->order.segment;
	omen_hot->stamp = s ? s << 8 | OMEN_CELL_BYTES : OMEN_NO_STAMP;
}

/* Whatever the running fiber does next belongs to a new segment: others are about to learn of what it did so far. */
void clock_release(void);

/* Did the segment's accesses happen before what the running fiber does now? */
bool clock_ask_before(uint32_t id);
static inline bool clock_before(uint32_t id)
{
	/* what happened before has for ever; id 0 is nobody's, and before all */
	return likely(omen.current->order.known[id % KNOWN] == id) || clock_ask_before(id);
}

/* Did they happen before all that anybody will ever do? */
bool clock_is_past(uint32_t id);

/* One fiber lives, and it knows all that ever happened: nothing it does can race. */
bool clock_solo(void);

#endif
