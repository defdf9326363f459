// flags: -pthread
// race A B C D: verdict=spec-violated consequence=memory-error violation=double-free

/*
 * Two threads shut a tracing library down: both find the buffer, and both free it. Nothing fails if the second one reads the
 * pointer for its free after the first has cleared it. So the two cannot clear it in the other order (C): the second
 * thread can get there only by a double free.
 */
#include <stdio.h>
#include <stdlib.h>

#include "../races/threads.h"

static char *volatile buffer;

static void *shut_down(void *unused)
{
	if (buffer) {          // race A
		free(buffer);  // race B D violation A B C D
		buffer = NULL; // race A B C
	}
	return unused;
}

int main(void)
{
	buffer = malloc(100);
	together(shut_down, shut_down);
	puts("down");
	return 0;
}
