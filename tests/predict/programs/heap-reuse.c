// flags: -pthread
// race A: hb

/*
 * Memory that one thread has freed and another one has got: the same address, and not the same variable. The allocator
 * orders them, whatever it is made of. What is never freed (`shared`) is another matter.
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
