// flags: -pthread
// options: --primaries 0
// race A: verdict=spec-violated consequence=memory-error violation=stack-overflow
// race B: verdict=spec-violated consequence=memory-error violation=heap-overflow

/* Two threads write an index that is used long after: into a local array, and into a block of odd size. */
#include <stdio.h>
#include <stdlib.h>

#include "../races/threads.h"

#define WORK 40000

static int here, there;
static long *field;

static void *work(void *n)
{
	long *mine = field + (long)n * 1000;

	here = n ? 3 : 4;   // race A
	there = n ? 12 : 13; // race B
	for (int i = 0; i < WORK; i++)
		mine[i % 1000] += i;
	return NULL;
}

int main(void)
{
	char *block = calloc(1, 13);
	int row[4] = {0};

	field = calloc(2000, sizeof *field);
	together(work, work);
	printf("%d\n", block[there]); // violation B
	row[here]++;                  // violation A
	for (int i = 0; i < 4; i++)
		printf("%d\n", row[i] * 0);
	free(block);
	free(field);
	return 0;
}
