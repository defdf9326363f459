/* The runtime's own memory that is given back: blocks of powers of two, on top of the arena. */
#ifndef OMEN_POOL_H
#define OMEN_POOL_H

#include <stddef.h>

#define POOL_UNIT 32 /* every block begins at a multiple of this */

/* At least `size` bytes, with whatever in them. */
void *pool_alloc(size_t size);
/* Gives back what pool_alloc(size) gave. */
void pool_free(void *block, size_t size);

#endif
