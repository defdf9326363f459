// flags: -pthread
// race A B C D E: verdict=spec-violated consequence=crash violation=abort

/* As valid-pool, but whoever has a block relies on having it alone. */
#include <stdio.h>
#include <stdlib.h>

#include "../races/threads.h"

enum { BLOCKS = 3, ROUNDS = 12, STEPS = 200 };

static struct block {
	struct block *next;
	long owner;
} blocks[BLOCKS], *pool;

static struct block *take(void)
{
	struct block *b = pool; pool = b->next; return b; // race A B
}

static void give_back(struct block *b)
{
	b->next = pool; pool = b; // race B C
}

static void *work(void *which)
{
	for (int i = 0; i < ROUNDS; i++) {
		struct block *b = take();
		b->owner = (long)which; // race D E
		for (volatile int step = 0; step < STEPS; step++)
			continue;
		if (b->owner != (long)which) // race E
			abort();             // violation A B C D E
		give_back(b);
	}
	return NULL;
}

int main(void)
{
	pool = blocks;
	for (int i = 0; i < BLOCKS; i++)
		blocks[i].next = &blocks[i + 1 < BLOCKS ? i + 1 : i];
	together(work, work);
	puts("done");
	return 0;
}
