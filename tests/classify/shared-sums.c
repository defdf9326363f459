// flags: -pthread
// race A B: verdict=spec-violated consequence=assertion violation=failed-assert
// variant: -DFIX_A = assertion
// variant: -DFIX_B = assertion
// variant: -DFIX_A -DFIX_B = nothing

/* Two counters that lose updates, and a check of their sum: either is enough. */
#include <assert.h>
#include <stdio.h>

#include "../races/threads.h"

static int in, out;

static void *count(void *unused)
{
#ifdef FIX_A
	__atomic_fetch_add(&in, 1, __ATOMIC_SEQ_CST);
#else
	in++; // race A
#endif
#ifdef FIX_B
	__atomic_fetch_add(&out, 1, __ATOMIC_SEQ_CST);
#else
	out++; // race B
#endif
	return unused;
}

int main(void)
{
	together(count, count);
	assert(in + out == 4); // violation A B
	puts("counted");
	return 0;
}
