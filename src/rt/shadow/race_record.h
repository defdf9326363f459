/*
 * What the files of the race check share: halves of cells, records of accesses that do not fit in a cell, and numbers
 * of sites (docs/design.md, "Detection").  In: halves and sites.  Out: records and their links.  For the files of this
 * room only.
 */
#ifndef OMEN_RACE_RECORD_H
#define OMEN_RACE_RECORD_H

#include "rt/clock/clock.h"
#include "rt/core/arena.h"
#include "rt/core/pool.h"
#include "rt/shadow/overflow.h"
#include "rt/shadow/race_check.h"

/* ---- numbers of sites ---- */

/*
 * Sites lie near the program or near the libraries.  The numbers cover 1 GB around each of the two, and the lowest 1
 * GB. Number 0: the site is unknown.
 */
#define NEAR   (1ul << 30)
#define PLACES 3

extern uint64_t shadow_near[PLACES];

static inline uint32_t site_number(const struct omen_site *site)
{
	for (uint32_t i = PLACES; i-- > 0;)
		if ((uint64_t)site - shadow_near[i] < NEAR)
			return (uint32_t)(i << 28 | ((uint64_t)site - shadow_near[i]) >> 2);
	return 0;
}

static inline const struct omen_site *site_of(uint32_t number)
{
	uint32_t i = number >> 28;

	return number ? (const struct omen_site *)(shadow_near[i] + (uint64_t)(number & ((1u << 28) - 1)) * 4) : NULL;
}

/* ---- records ---- */

/* A link is the number of a record and these bits. */
#define RECORD  (1u << 31)
#define OBJECT  (1u << 30) /* a synchronisation object lives here */
#define WRITES  (1u << 29) /* writes are or were in the record; without this bit, a read need not look */
#define NUMBERS (WRITES - 1)

/* An access that the record holds. */
struct past {
	uint32_t half; /* segment and bytes, as in a cell */
	uint32_t site; /* the number of its site, with WROTE and FREED */
};

#define WROTE  (1u << 31)
#define FREED  (1u << 30)
#define SITES  (FREED - 1)
#define MERGED (3u << 28) /* in place of a site's number: the half was merged */

struct record {
	uint32_t n, room;
	struct past past[];
};

static inline struct record *record_of(const uint32_t *link)
{
	if (likely(!(*link & RECORD)))
		return NULL;
	return (struct record *)(ARENA_ADDRESS + (uint64_t)(*link & NUMBERS) * POOL_UNIT);
}

/* Frees the record of a link. */
void record_drop(uint32_t *link, struct record *r);
/* Adds a half and the number of its site to the record of a link; makes the record if there is none. */
void record_add(uint32_t *link, uint32_t half, uint32_t site);

/* ---- halves of cells ---- */

#define BYTES(half)    ((half) & OMEN_CELL_BYTES)
#define SEGMENT(half)  ((half) >> 8)
#define IS_ATOMIC(seg) ((seg) & 1)

/* A cell holds no atomic access.  There the low bit of the segment says that the half was merged. */
static inline bool same_segment(uint32_t half, uint32_t now) { return !((half ^ now) & SHADOW_SEGMENT); }
static inline bool same_owner(uint32_t half, uint32_t now) { return !((half ^ now) & OMEN_CELL_OWNER); }

/* The part of the access under way that concerns one cell. */
struct now {
	uint64_t address; /* of the cell's memory */
	uint32_t half;    /* its segment and bytes */
	uint32_t flags;
	const struct omen_site *site;
};

/* ---- race_check.c ---- */

/* Checks an access to existing memory; does not inform observers. */
void shadow_detect(uint64_t address, uint64_t size, uint32_t flags, const struct omen_site *site);
/* The same for a use of a synchronisation object within 8 bytes. */
void shadow_detect_use(uint64_t address, uint64_t size);

/* ---- object_use.c ---- */

/* A new life begins at these 8 bytes. */
void shadow_forget_use(uint64_t address);

#endif
