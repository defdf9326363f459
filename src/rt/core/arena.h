/* The runtime's own memory, away from the program's heap, at addresses that do not depend on what the program does. */
#ifndef OMEN_ARENA_H
#define OMEN_ARENA_H

#include <stddef.h>

/* Zeroed memory that is never given back; ends the process with a message if there is none. */
void *arena_alloc(size_t size);

/* The arena's extent so far, for whoever must tell it from the program's memory. */
#define ARENA_ADDRESS 0x512700000000ul
#define ARENA_SIZE    (1ul << 36)

#endif
