// flags: -pthread
// options: --primaries 0
// race A: verdict=spec-violated consequence=memory-error violation=use-after-free

/* As long-free.c, but the note was freed before the threads began; and a large one. */
#include <stdio.h>
#include <stdlib.h>

#include "../races/threads.h"

#define WORK 40000
#define SIZE 100000

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
		note[i] = calloc(1, SIZE);
	free(note[0]);
	together(work, work);
	printf("%d\n", note[last][SIZE / 2]); // violation A
	free(note[1]);
	free(field);
	return 0;
}
