// flags: -pthread
// race A: verdict=spec-violated consequence=assertion violation=failed-assert
// race B: verdict=output-differs
// variant: -DFIX_A = nothing

/* One race fails, the other decides what is printed. */
#include <assert.h>
#include <stdio.h>

#include "../races/threads.h"

#ifdef FIX_A
static _Thread_local int ready = 1;
#else
static int ready;
#endif
static int last;

static void *first(void *unused)
{
	ready = 1; // race A
	last = 1; // race B
	return unused;
}

static void *second(void *unused)
{
	last = 2; // race B
	assert(ready); // race A violation A
	return unused;
}

int main(void)
{
	together(first, second);
	printf("last %d\n", last);
	return 0;
}
