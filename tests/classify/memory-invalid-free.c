// flags: -pthread
// race A B: verdict=spec-violated consequence=memory-error violation=invalid-free

/* A name is first static and later from the heap; for a moment the flag says "heap" too early. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "../races/threads.h"

static char unnamed[16];
static char *volatile name = unnamed;
static volatile bool on_heap;

static void *rename_it(void *unused)
{
	char *longer = malloc(64);

	on_heap = true; // race A
	name = longer;  // race B
	return unused;
}

static void *drop(void *unused)
{
	if (on_heap)        // race A
		free(name); // race B violation A B
	return unused;
}

int main(void)
{
	together(rename_it, drop);
	puts("dropped");
	return 0;
}
