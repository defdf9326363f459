// flags: -pthread
// race A: verdict=output-differs

/* An unprotected counter is printed: some increments get lost. */
#include <stdio.h>

#include "../races/threads.h"

static int count;

static void *add(void *unused)
{
	for (int i = 0; i < 3; i++)
		count++; // race A
	return unused;
}

int main(void)
{
	together(add, add);
	printf("%d\n", count); // output A
	return 0;
}
