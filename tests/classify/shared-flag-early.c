// flags: -pthread
// race A: verdict=spec-violated consequence=assertion violation=failed-assert
// race B: verdict=single-ordering adhoc=flag
// variant: -DFIX_A = nothing

/* The flag is set before the data: the order of the data decides, the flag only waits. */
#include <assert.h>
#include <stdio.h>

#include "../races/threads.h"

#ifdef FIX_A
static _Thread_local int data = 1;
#else
static int data;
#endif
static volatile int flag;

static void *make(void *unused)
{
	flag = 1; // race B
	data = 1; // race A
	return unused;
}

static void *use(void *unused)
{
	while (!flag) // race B
		;
	assert(data); // race A violation A
	return unused;
}

int main(void)
{
	together(make, use);
	puts("used");
	return 0;
}
