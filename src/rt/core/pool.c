#include "rt/core/pool.h"

#include <stdint.h>
#include <string.h>

#include "rt/core/arena.h"

#define CLASSES 35   /* up to POOL_LARGEST */
#define CHUNK   4096 /* bytes: small blocks are cut from pieces of this size */

struct block {
	struct block *next;
};

static struct {
	struct block *free[CLASSES]; /* by the exponent of the block size */
} pool;

static unsigned class_of(size_t size)
{
	unsigned c = __builtin_ctz(POOL_UNIT);

	while ((1ul << c) < size)
		c++;
	return c;
}

void *pool_alloc(size_t size)
{
	unsigned c = class_of(size);
	size_t whole = 1ul << c;

	if (!pool.free[c]) {
		if (whole >= CHUNK)
			return arena_alloc(whole);
		char *chunk = arena_alloc(CHUNK);
		for (size_t at = CHUNK; at; at -= whole)
			pool_free(chunk + at - whole, whole);
	}
	struct block *b = pool.free[c];
	pool.free[c] = b->next;
	return b;
}

void *pool_alloc_zeroed(size_t size)
{
	unsigned c = class_of(size);
	size_t whole = 1ul << c;

	if (!pool.free[c] && whole >= CHUNK)
		return arena_alloc(whole); /* memory of the arena is zero */
	return memset(pool_alloc(size), 0, whole);
}

void pool_free(void *block, size_t size)
{
	struct block *b = block;
	unsigned c = class_of(size);

	b->next = pool.free[c];
	pool.free[c] = b;
}
