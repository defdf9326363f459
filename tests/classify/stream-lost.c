// flags: -pthread
// race A: verdict=output-differs

/* The workers decide the order of the lines, but not the sum at the end. */
#include <stdio.h>

#include "../races/threads.h"

static int sum;

static void *work(void *which)
{
	printf("worker %ld begins\n", (long)which);
	sum += 10; // race A
	printf("worker %ld ends\n", (long)which);
	return NULL;
}

int main(void)
{
	together(work, work);
	printf("sum %d\n", sum); // output A
	return 0;
}
