/*
 * The runtime's own memory that is given back: blocks of powers of two, on top of the arena.  In: a size.  Out: a block
 * of at least that size.  Every room of the runtime may call it.
 */
#ifndef OMEN_POOL_H
#define OMEN_POOL_H

#include <stddef.h>

#define POOL_UNIT    32          /* every block begins at a multiple of this */
#define POOL_LARGEST (1ul << 34) /* the caller asks for no more than this */

/* At least `size` bytes, which hold anything. */
void *pool_alloc(size_t size);
/* At least `size` bytes of zeros; large new blocks are zero already and cost nothing. */
void *pool_alloc_zeroed(size_t size);
/* Gives back a block; `size` is the one that it was asked for with. */
void pool_free(void *block, size_t size);

#endif
