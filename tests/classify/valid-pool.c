// flags: -pthread
// options: --primaries 40
// race A B C D: verdict=k-witness-harmless pattern=both-values-valid

/*
 * Blocks come from a list without a lock, and go back to it.  While a thread has one, the other takes another one:
 * but both can have taken the same.
 */
#include <stdio.h>

#include "../races/threads.h"

enum { BLOCKS = 3, ROUNDS = 3 };

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
		b->owner = (long)which; // race D
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
