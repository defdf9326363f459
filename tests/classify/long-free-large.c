// flags: -pthread
// options: --primaries 0
// race A: verdict=spec-violated consequence=memory-error violation=use-after-free

/* As long-free.c, with notes so large that the runtime marks their shadow only on demand. */
#include <stdio.h>
#include <stdlib.h>

#include "../races/threads.h"

#define WORK 40000
#define SIZE 200000

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
	together(work, work);
	free(note[0]);
	printf("%d\n", note[last][SIZE - 1]); // violation A
	free(note[1]);
	free(field);
	return 0;
}
