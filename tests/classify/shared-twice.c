// flags: -pthread
// race A B D: verdict=spec-violated consequence=memory-error violation=double-free
// race C: verdict=k-witness-harmless pattern=redundant-write
// variant: -DFIX_C = memory-error

/* The buffer is tested and freed without a lock; both threads write, with the same value, that it is closed. */
#include <stdio.h>
#include <stdlib.h>

#include "../races/threads.h"

static char *volatile buffer;
#ifdef FIX_C
static _Thread_local int closed;
#else
static int closed;
#endif

static void *close_it(void *unused)
{
	char *mine = buffer; // race A

	closed = 1; // race C
	if (mine) {
		buffer = NULL; // race A D
		free(mine); // race B violation A B D
	}
	return unused;
}

int main(void)
{
	buffer = malloc(8);
	together(close_it, close_it);
	puts("closed");
	return 0;
}
