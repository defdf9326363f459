// flags: -pthread
// race A: verdict=output-differs

/* The order of the lines is up to the workers, the sum in the end is not. */
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
