// flags: -pthread
// race A B: verdict=output-differs

/* A cache prints whether it had the answer. */
#include <stdio.h>

#include "../races/threads.h"

static int key;
static int hits[2];

static void *ask(void *n)
{
	hits[(long)n] = key == 7; // race A
	key = 7;                  // race A B
	return NULL;
}

int main(void)
{
	together(ask, ask);
	printf("%d hits\n", hits[0] + hits[1]);
	return 0;
}
