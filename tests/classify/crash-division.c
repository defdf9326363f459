// flags: -pthread
// race A B: verdict=spec-violated consequence=crash violation=division-by-zero

/* While the samples are recounted there are none. */
#include <stdio.h>

#include "../races/threads.h"

static volatile int samples = 4;

static void *recount(void *unused)
{
	samples = 0; // race A
	for (int i = 0; i < 4; i++)
		samples++; // race B
	return unused;
}

static void *average(void *unused)
{
	printf("%d\n", 20 / samples > 0); // race A B violation A B
	return unused;
}

int main(void)
{
	together(average, recount);
	return 0;
}
