// flags: -pthread
// race A: verdict=k-witness-harmless pattern=disjoint-bits

/* One thread changes a bit, the other tests a bit that nobody changes. */
#include <stdio.h>

#include "../races/threads.h"

#define READABLE 1u
#define BUSY     2u

static unsigned flags = READABLE;
static int readable;

static void *worker(void *unused)
{
	for (int i = 0; i < 3; i++)
		flags ^= BUSY; // race A
	return unused;
}

static void *reader(void *unused)
{
	readable = (flags & READABLE) != 0; // race A
	return unused;
}

int main(void)
{
	together(worker, reader);
	printf("readable %d, flags %u\n", readable, flags);
	return 0;
}
