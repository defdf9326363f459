// flags: -pthread
// race A: verdict=k-witness-harmless pattern=approximate-counter
// failure X: kind=memory-error runs=10

/* Every execution writes a byte beyond a block before it has threads. The race after that does no harm. */
#include <stdio.h>
#include <stdlib.h>

#include "../races/threads.h"

static int hits;

static void *hit(void *unused)
{
	hits++; // race A
	return unused;
}

int main(void)
{
	char *volatile block = malloc(4);

	block[4] = 1; // failure X
	together(hit, hit);
	puts("hit");
	free(block);
	return 0;
}
