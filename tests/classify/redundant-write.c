// flags: -pthread
// race A: verdict=k-witness-harmless pattern=redundant-write

/* The first thread marks the library as used; all write the same value. */
#include <stdio.h>

#include "../races/threads.h"

static int in_use;

static void *work(void *unused)
{
	in_use = 1; // race A
	return unused;
}

int main(void)
{
	together(work, work, work);
	printf("in use: %d\n", in_use);
	return 0;
}
