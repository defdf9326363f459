// flags: -pthread
// options: --primaries 0
// race A: verdict=spec-violated consequence=memory-error violation=use-after-free

/* The last writer decides, long before it shows: one writer's note is freed before it is read. */
#include <stdio.h>
#include <stdlib.h>

#include "../races/threads.h"

#define WORK 40000

static int last;
static long *field;
static char *note[2];

static void *work(void *n)
{
	long *mine = field + (long)n * 1000;

	last = (int)(long)n; // race A
	for (int i = 0; i < WORK; i++)
		mine[i % 1000] += i;
	return NULL;
}

int main(void)
{
	field = calloc(2000, sizeof *field);
	for (int i = 0; i < 2; i++)
		note[i] = calloc(1, 30);
	together(work, work);
	free(note[0]);
	printf("%d\n", note[last][29]); // violation A
	free(note[1]);
	free(field);
	return 0;
}
