// flags: -pthread
// race A B: verdict=spec-violated consequence=assertion violation=failed-assert
// variant: -DFIX_A = assertion
// variant: -DFIX_B = assertion
// variant: -DFIX_A -DFIX_B = nothing

/* Two threads make two parts, and the user needs both, so each race alone is enough. */
#include <assert.h>
#include <stdio.h>

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

static int l, r;

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
	l = left; // race A
	r = right; // race B
	assert(l + r == 2); // violation A B
	return unused;
}

int main(void)
{
	together(make_left, make_right, use);
	puts("used");
	return 0;
}
