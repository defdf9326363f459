/* A set of descriptors. Those past the end are in no set: what is not known of a descriptor is not claimed. */
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
