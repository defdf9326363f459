// flags: -pthread
// race A B: verdict=output-differs

/* The last four entries of a log in a ring, whose index nobody protects. */
#include <stdio.h>

#include "../races/threads.h"

static char ring[5] = "....";
static volatile unsigned next;

static void *note(void *n)
{
	for (int i = 0; i < 2; i++) {
		unsigned at = next++; // race A

		ring[at % 4] = (char)('a' + 2 * (long)n + i); // race B
	}
	return NULL;
}

int main(void)
{
	together(note, note);
	printf("%s\n", ring);
	return 0;
}
