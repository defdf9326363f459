// flags: -pthread
// race A B: verdict=spec-violated consequence=memory-error violation=heap-overflow

/*
 * The new length is written before the new buffer: who reads between them has the one without the other. From who comes
 * behind both, the buffer's order brings it alone; from who comes before both, the length's.
 */
#include <stdio.h>
#include <stdlib.h>

#include "../races/threads.h"

static char *text;
static int length = 4;
static volatile char last;

static void *grow(void *larger)
{
	(void)larger;
	char *more = calloc(1, 6);
	length = 6; // race A
	text = more; // race B
	return NULL;
}

static void *look(void *unused)
{
	int n = length; // race A
	const char *t = text; // race B
	last = t[n - 1]; // violation A B
	return unused;
}

int main(void)
{
	text = calloc(1, 4);
	together(grow, look);
	puts("grown");
	return 0;
}
