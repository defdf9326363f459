// flags: -pthread
// race A B: verdict=spec-violated consequence=memory-error violation=heap-overflow

/*
 * The new length is written before the new buffer: a reader between the two has one without the other. Compared with a
 * reader after both, the order of the buffer alone leads there; compared with a reader before both, that of the length.
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
