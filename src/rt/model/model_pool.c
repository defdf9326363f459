/* Memory that comes back: pieces of powers of two.  What is given out is zeroed, at no cost where it is new. */
#include <string.h>

#include "rt/core/arena.h"
#include "rt/model/parts.h"

#define SMALLEST 6 /* 64 bytes */
#define LARGEST  34

static struct spare {
	struct spare *next;
} *spares[LARGEST + 1];

static uint32_t class_of(uint64_t size)
{
	uint32_t c = SMALLEST;

	while (c <= LARGEST && 1ul << c < size)
		c++;
	if (c > LARGEST)
		model_unknown("it needs %lu bytes of the model", size);
	return c;
}

void *pool_take(uint64_t size)
{
	uint32_t c = class_of(size);
	struct spare *p = spares[c];

	if (!p)
		return arena_alloc(1ul << c);
	spares[c] = p->next;
	memset(p, 0, 1ul << c);
	return p;
}

void pool_give(void *memory, uint64_t size)
{
	struct spare *p = memory;
	uint32_t c = class_of(size);

	if (!p)
		return;
	p->next = spares[c];
	spares[c] = p;
}
