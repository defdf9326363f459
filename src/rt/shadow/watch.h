/*
 * The watched bytes: bytes that raced, in groups of 8, as the board lists them.  In: the board's list, and addresses of
 * accesses.  Out: which watched bytes an access touches.  For explain.c, for steer.c and its strategies, and for the
 * hooks, which ask watch_passes().
 */
#ifndef OMEN_WATCH_H
#define OMEN_WATCH_H

#include "rt/shadow/overflow.h"
#include "rt/core/rt.h"

struct watched {
	uint64_t address;
	uint32_t bytes;
	uint64_t touches;  /* steer.c: how often they were accessed */
	uint32_t writer;   /* steer.c: the last fiber that wrote them, plus 1; 0: none */
	struct past *past; /* explain.c: the accesses kept */
};

/* Reads the board's list. */
void watch_start(void);

/*
 * Is any of the 8 bytes at an address watched?  Only valid while races are explained: then links are hashed, so the
 * bits are free for this.
 */
static inline bool watch_marked(uint64_t address) { return overflow_is_used(address & ((1ul << 47) - 1)); }
/* Is any byte of this 64-byte line watched? */
static inline bool watch_near(uint64_t address) { return ((const uint8_t *)BITS)[address << 17 >> 23]; }

/*
 * True for a small access that touches no watched byte, while only watched bytes are of interest: the caller ignores
 * it. For a large access false: its search takes no longer than this test would.
 */
static inline bool watch_passes(uint64_t address, uint64_t size)
{
	return mode_is(ONLY_WATCHED) && !mode_is(EXPLAIN_VALUE) && size - 1 < 64 && !watch_near(address) &&
	       !watch_near(address + size - 1);
}

/* The first entry at or after an address, and the end of the entries, which are sorted by address. */
struct watched *watch_from(uint64_t address);
struct watched *watch_end(void);

/* The entries that an access to `size` bytes from `address` on touches: for (w = …; w; w = watch_next(w, …)). */
struct watched *watch_first(uint64_t address, uint64_t size);
struct watched *watch_next(struct watched *w, uint64_t address, uint64_t size);
/*
 * The number of an access by the running fiber that is reported only after a library function has made it: the number
 * of the fiber's call, with its site.  To stop before such an access, it must be known by this number, not by the bytes
 * that it writes: before the call it is unknown how many there will be, and so whether it writes the watched ones.
 */
uint64_t watch_late(const struct omen_site *site);
/* Which bytes of an entry the access touches, as bits. */
uint32_t watch_bytes(const struct watched *w, uint64_t address, uint64_t size);

#endif
