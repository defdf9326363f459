// flags: -pthread
// race A B C E: verdict=spec-violated consequence=crash violation=abort
// race D: verdict=k-witness-harmless pattern=both-values-valid
// variant: -DFIX_D = crash

/*
 * As valid-pool.c, but each thread relies on having its block alone.  If both have the same block, one of them finds the
 * other's name in it, whichever wrote first.
 */
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

static void put_name(struct block *b, long which)
{
#ifdef FIX_D
	__atomic_store_n(&b->owner, which, __ATOMIC_RELAXED);
#else
	b->owner = which; // race D E
#endif
}

static void *work(void *which)
{
	for (int i = 0; i < ROUNDS; i++) {
		struct block *b = take();
		put_name(b, (long)which);
		for (volatile int step = 0; step < STEPS; step++)
			continue;
		if (b->owner != (long)which) // race E
			abort();             // violation A B C E
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
