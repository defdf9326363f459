// flags: -pthread
// race A B: verdict=spec-violated consequence=memory-error violation=heap-underflow

/* A stack is emptied between the read of its height and the read of its top. */
#include <stdio.h>
#include <stdlib.h>

#include "../races/threads.h"

static int *stack;
static volatile int height = 2;
static int top;

static void *peek(void *unused)
{
	if (height > 0)                  // race A
		top = stack[height - 1]; // race B violation A B
	return unused;
}

static void *clear(void *unused)
{
	height = 0; // race A B
	return unused;
}

int main(void)
{
	stack = calloc(4, sizeof *stack);
	together(peek, clear);
	puts("peeked");
	return 0;
}
