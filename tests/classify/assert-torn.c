// flags: -pthread
// race A: verdict=spec-violated consequence=assertion violation=failed-assert

/* A structure is copied word by word: all of one copy can happen in the middle of another. */
#include <assert.h>
#include <stdio.h>

#include "../races/threads.h"

struct range {
	long from, to;
};

static struct range shared, taken;

static void *set(void *unused)
{
	static const struct range wide = {1, 1};

	shared = wide; // race A
	return unused;
}

static void *get(void *unused)
{
	taken = shared; // race A
	assert(taken.from == taken.to); // violation A
	return unused;
}

int main(void)
{
	together(set, get);
	puts("whole");
	return 0;
}
