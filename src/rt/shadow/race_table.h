/*
 * The races of this execution.  The detector and the explaining replay report them; the tool reads them on the board.
 */
#ifndef OMEN_RACE_TABLE_H
#define OMEN_RACE_TABLE_H

#include "rt/core/rt.h"

struct race {
	uint64_t address; /* of the 8 bytes */
	uint32_t bytes;   /* which of them */
	uint32_t past_fiber, past_flags;
	const struct omen_site *past_site; /* NULL: unknown */
	uint32_t flags;                    /* of the running fiber's access */
	const struct omen_site *site;
};

void race_found(const struct race *r);

/* There may be a race on these of the 8 bytes: a replay must look. */
void race_possible(uint64_t address, uint32_t bytes);

/* The program declares races on these bytes benign: none is reported until the bytes begin a new life. */
void race_is_benign(uint64_t address, uint64_t size);
void race_forget_benign(uint64_t low, uint64_t high);

/* A new entry on the board for this race.  NULL if the race is known, which is then counted, or if there is no room. */
struct board_race *race_entry(const struct board_access *past, const struct board_access *now);

/* An execution begins: no byte has raced in it yet. */
void race_start(void);

/* The board's entry for the race of these two accesses, or NULL. */
struct board_race *race_known(const struct board_access *past, const struct board_access *now);

#endif
