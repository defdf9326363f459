// flags: -pthread
// race A: hb

/*
 * One thread frees memory and another one gets it: the same address, but not the same variable. The allocator
 * orders the two, however it works. `shared` is never freed, so it is not ordered.
 */
#include <stdlib.h>
#include "../../races/threads.h"

enum { SIZE = 1 << 20, TIMES = 40 };

static int *shared;

static void *worker(void *number)
{
	for (int i = 0; i < TIMES; i++) {
		int *own = malloc(SIZE);

		own[0] = (int)(long)number;
		own[SIZE / sizeof(*own) - 1] = own[0];
		free(own);
	}
	*shared = 1; // race A
	return NULL;
}

int main(void)
{
	shared = malloc(sizeof(*shared));
	together(worker, worker);
	return *shared > 1;
}
