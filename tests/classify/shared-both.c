// flags: -pthread
// race A B: verdict=spec-violated consequence=crash violation=abort
// variant: -DFIX_A = nothing
// variant: -DFIX_B = nothing

/* It fails only if both threads come too late: each of the two races must be in the other order. */
#include <stdio.h>
#include <stdlib.h>

#include "../races/threads.h"

#ifdef FIX_A
static _Thread_local int left = 1;
#else
static int left;
#endif
#ifdef FIX_B
static _Thread_local int right = 1;
#else
static int right;
#endif

static int missing;

static void *make_left(void *unused)
{
	left = 1; // race A
	return unused;
}

static void *make_right(void *unused)
{
	right = 1; // race B
	return unused;
}

static void *use(void *unused)
{
	if (!left) // race A
		missing++;
	if (!right) // race B
		missing++;
	if (missing == 2)
		abort(); // violation A B
	return unused;
}

int main(void)
{
	together(make_left, make_right, use);
	puts("used");
	return 0;
}
