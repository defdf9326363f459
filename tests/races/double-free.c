// flags: -pthread

/* Both threads free the block. */
#include <stdlib.h>

#include "threads.h"

static char *buffer;

static void *clean_up(void *unused)
{
	char *mine = buffer; // race B

	if (mine)
		free(mine); // race A
	buffer = NULL; // race B C
	return unused;
}

int main(void)
{
	buffer = malloc(100);
	together(clean_up, clean_up);
	return 0;
}
