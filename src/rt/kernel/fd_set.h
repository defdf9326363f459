/*
 * A set of descriptors.  Those from FDSET_MOST on are in no set: nothing is claimed of a descriptor that is not
 * known.  The kernel room and the world room use it.
 */
#ifndef OMEN_FD_SET_H
#define OMEN_FD_SET_H

#include <stdbool.h>
#include <stdint.h>

#define FDSET_MOST 4096

struct fdset {
	uint64_t bits[FDSET_MOST / 64];
};

static inline bool fdset_has(const struct fdset *s, long fd)
{
	return fd >= 0 && fd < FDSET_MOST && (s->bits[fd / 64] >> (fd % 64) & 1);
}

static inline void fdset_put(struct fdset *s, long fd, bool in)
{
	uint64_t bit = 1ul << (fd & 63);

	if (fd >= 0 && fd < FDSET_MOST)
		s->bits[fd / 64] = in ? s->bits[fd / 64] | bit : s->bits[fd / 64] & ~bit;
}

#endif
