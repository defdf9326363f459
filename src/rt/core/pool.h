/*
 * Blocks of the runtime's own memory that can be given back.  Their sizes are powers of two; the memory comes from the
 * arena.  Every room of the runtime may call it.
 */
#ifndef OMEN_POOL_H
#define OMEN_POOL_H

#include <stddef.h>

#define POOL_UNIT 32 /* every block begins at a multiple of this */

/* At least `size` bytes, not cleared. */
void *pool_alloc(size_t size);
/* Gives back a block of pool_alloc(size). */
void pool_free(void *block, size_t size);

#endif
