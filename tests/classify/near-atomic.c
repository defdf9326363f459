// flags: -pthread
// race A: verdict=k-witness-harmless pattern=none

/* The same value again, but by an atomic operation: nobody branches on what that operation reads. */
#include <stdio.h>

#include "../races/threads.h"

static int level = 2, seen;

static void *set(void *unused)
{
	__atomic_store_n(&level, 2, __ATOMIC_RELAXED); // race A
	return unused;
}

static void *look(void *unused)
{
	seen = level; // race A
	return unused;
}

int main(void)
{
	together(set, look);
	printf("%d\n", seen);
	return 0;
}
