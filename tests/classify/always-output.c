// flags: -pthread
// race A: verdict=output-differs
// failure X: kind=memory-error runs=10

/* Every execution writes a byte beyond a block before it has threads; then a race decides what is printed. */
#include <stdio.h>
#include <stdlib.h>

#include "../races/threads.h"

static int last;

static void *write_last(void *n)
{
	last = (int)(long)n + 1; // race A
	return NULL;
}

int main(void)
{
	char *volatile block = malloc(4);

	block[4] = 1; // failure X
	together(write_last, write_last);
	printf("%d\n", last);
	return 0;
}
