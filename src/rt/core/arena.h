/*
 * The runtime's own memory, apart from the program's heap.  Its addresses do not depend on what the program does.
 * Every room of the runtime may call it.
 */
#ifndef OMEN_ARENA_H
#define OMEN_ARENA_H

#include <stddef.h>
#include <stdint.h>

/* Zeroed memory that is never given back.  Ends the process with a message if there is none. */
void *arena_alloc(size_t size);
/* Up to where it is open. */
uint64_t arena_end(void);

/* Where the arena is, for code that must distinguish it from the program's memory. */
#define ARENA_ADDRESS 0x512700000000ul
#define ARENA_SIZE    (1ul << 36)

#endif
