// flags: -pthread
// options: --primaries 0
// race A: verdict=output-differs

/* The other thread is far from its access: a thread that waits for it has to let it compute. */
#include <stdio.h>
#include <stdlib.h>

#include "../races/threads.h"

#define WORK 40000

static int ready, seen;
static long *field;

static void *first(void *n)
{
	(void)n;
	ready = 1; // race A
	for (int i = 0; i < WORK; i++)
		field[i % 1000] += i;
	return NULL;
}

static void *second(void *n)
{
	(void)n;
	for (int i = 0; i < WORK; i++)
		field[1000 + i % 1000] += i;
	seen = ready; // race A
	return NULL;
}

int main(void)
{
	field = calloc(2000, sizeof *field);
	together(first, second);
	printf("%d\n", seen); // output A
	free(field);
	return 0;
}
