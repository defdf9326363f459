// flags: -pthread
// race A: verdict=spec-violated consequence=crash violation=abort
// variant: -DONLY_ONE = crash
// variant: -DONLY_TWO = assertion

/* Every execution fails; the order of two writes decides how. */
#include <assert.h>
#include <stdlib.h>

#include "../races/threads.h"

static int last;

static void *one(void *unused)
{
#ifndef ONLY_TWO
	last = 1; // race A
#endif
	return unused;
}

static void *two(void *unused)
{
#ifndef ONLY_ONE
	last = 2; // race A
#endif
	return unused;
}

int main(void)
{
	together(one, two);
	if (last == 1)
		abort(); // violation A
	assert(!last); // violation A
	return 0;
}
