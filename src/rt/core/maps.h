/* The process's memory map, as the kernel has it. */
#ifndef OMEN_MAPS_H
#define OMEN_MAPS_H

#include <stdbool.h>
#include <stdint.h>

struct mapping {
	uint64_t low, high;
	bool writable, shared, stack; /* stack: the main thread's */
};

/* Takes the map as it is now; false if that cannot be done. */
bool maps_read(void);
/* The next mapping of it; false after the last. */
bool maps_next(struct mapping *m);

#endif
