// flags: -pthread
// race A B C D: verdict=spec-violated consequence=memory-error violation=double-free

/* The thread that made the buffer frees it; if both made one, both free the newer one. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "../races/threads.h"

static char *volatile buffer;

static void *use(void *unused)
{
	bool mine = false;

	if (!buffer) {               // race A
		buffer = malloc(16); // race A B C
		mine = true;
	}
	if (mine)
		free(buffer); // race C D violation A B C D
	return unused;
}

int main(void)
{
	together(use, use);
	puts("used");
	return 0;
}
