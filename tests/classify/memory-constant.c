// flags: -pthread
// race A: verdict=spec-violated consequence=memory-error violation=use-after-free

/*
 * The recorded execution itself reads freed memory, which nobody notices because the memory is still there. All executions
 * in that order do so, and none in the other order.
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "../races/threads.h"

static volatile int *shared, seen;

static void *drop(void *unused)
{
	free((void *)shared); // race A
	return unused;
}

static void *look(void *unused)
{
	seen = *shared & 0; // race A violation A
	return unused;
}

int main(void)
{
	shared = malloc(sizeof *shared);
	*shared = 1;
	together(drop, look);
	puts("looked");
	return 0;
}
