/* Bytes that raced, by 8, as the board names them. */
#ifndef OMEN_WATCH_H
#define OMEN_WATCH_H

#include "rt/shadow/overflow.h"
#include "rt/core/rt.h"

struct watched {
	uint64_t address;
	uint32_t bytes;
	uint64_t touches;  /* steer.c: how often they were accessed, */
	uint32_t writer;   /* and who wrote them last: the fiber, and 1; 0: nobody */
	struct past *past; /* explain.c: and by whom */
};

/* Takes them from the board. */
void watch_start(void);

/* Are some of the 8 bytes at an address watched?  While explaining only: then links are hashed, and the bits are free.
 */
static inline bool watch_marked(uint64_t address) { return link_is_used(address & ((1ul << 47) - 1)); }
/* And of the 64? */
static inline bool watch_near(uint64_t address) { return ((const uint8_t *)BITS)[address << 17 >> 23]; }

/*
 * Accesses that nobody wants to know of, while only those to watched bytes are of interest.  (Small ones: who looks for
 * large ones does so as quickly.)
 */
static inline bool watch_passes(uint64_t address, uint64_t size)
{
	return mode_is(ONLY_WATCHED) && !mode_is(EXPLAIN_VALUE) && size - 1 < 64 && !watch_near(address) &&
	       !watch_near(address + size - 1);
}

/* The first at or after an address, and the one behind the last: they are sorted. */
struct watched *watch_from(uint64_t address);
struct watched *watch_end(void);

/* Those of an access to `size` bytes from `address` on: for (w = …; w; w = watch_next(w, …)). */
struct watched *watch_first(uint64_t address, uint64_t size);
struct watched *watch_next(struct watched *w, uint64_t address, uint64_t size);
/*
 * The number of an access by the running fiber that is told when it is over: the fiber's so many-th such call, with its
 * place.  Whoever wants to stop before it must know it by something else than the bytes that it will have written: how
 * many, and so whether these are among them, is not known then.
 */
uint64_t watch_late(const struct omen_site *site);
/* And which bytes of one it touches. */
uint32_t watch_bytes(const struct watched *w, uint64_t address, uint64_t size);

#endif
