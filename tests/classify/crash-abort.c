// flags: -pthread
// race A B: verdict=spec-violated consequence=crash violation=abort

/* A thread compares a checksum with data that another one is changing, and aborts. */
#include <stdio.h>
#include <stdlib.h>

#include "../races/threads.h"

static volatile int block = 5, checksum = ~5;

static void *update(void *unused)
{
	block = 6;     // race A
	checksum = ~6; // race B
	return unused;
}

static void *verify(void *unused)
{
	int found = block; // race A

	if (checksum != ~found) // race B
		abort();        // violation A B
	return unused;
}

int main(void)
{
	together(verify, update);
	puts("verified");
	return 0;
}
