/*
 * The process's memory map, as the kernel has it: read it once, then take one mapping after the other.  Every room of
 * the runtime may call it; there is only one map at a time.
 */
#ifndef OMEN_MAPS_H
#define OMEN_MAPS_H

#include <stdbool.h>
#include <stdint.h>

struct mapping {
	uint64_t low, high;
	bool writable, shared, stack, file; /* stack: the stack of the main thread; file: of a file */
};

/* Reads the current map; false if that is impossible. */
bool maps_read(void);
/* The next mapping of the map; false after the last one. */
bool maps_next(struct mapping *m);

#endif
