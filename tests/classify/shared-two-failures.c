// flags: -pthread
// race A: verdict=spec-violated consequence=assertion violation=failed-assert
// race B: verdict=spec-violated consequence=crash violation=division-by-zero
// variant: -DFIX_A = crash
// variant: -DFIX_B = assertion

/* Two races, each with a failure of its own: one an assertion, the other a division. */
#include <assert.h>
#include <stdio.h>

#include "../races/threads.h"

#ifdef FIX_A
static _Thread_local int ready = 1;
#else
static int ready;
#endif
#ifdef FIX_B
static _Thread_local int parts = 2;
#else
static int parts;
#endif
static volatile int share;

static void *make(void *unused)
{
	ready = 1; // race A
	parts = 2; // race B
	return unused;
}

static void *check(void *unused)
{
	assert(ready); // race A violation A
	return unused;
}

static void *divide(void *unused)
{
	share = 10 / parts; // race B violation B
	return unused;
}

int main(void)
{
	together(make, check, divide);
	puts("shared");
	return 0;
}
