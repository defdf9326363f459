/*
 * Blocks of the runtime's own memory that can be given back.  Their sizes are powers of two; the memory comes from the
 * arena.  Every room of the runtime may call it.
 */
#ifndef OMEN_POOL_H
#define OMEN_POOL_H

#include <stddef.h>

#define POOL_UNIT    32          /* every block begins at a multiple of this */
#define POOL_LARGEST (1ul << 34) /* callers ask for no more than this */

/* At least `size` bytes, not cleared. */
void *pool_alloc(size_t size);
/* At least `size` bytes, cleared; large blocks that are new are clear already and cost nothing. */
void *pool_alloc_zeroed(size_t size);
/* Gives back a block that was asked for with this size. */
void pool_free(void *block, size_t size);

#endif
