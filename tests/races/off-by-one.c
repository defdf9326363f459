// flags: -pthread

/* Each thread fills its part of the array, and one element more. */
#include "threads.h"

#define PART 4

static int slot[2 * PART + 1];

static void *fill(void *n)
{
	int first = (int)(long)n * PART;

	for (int i = first; i <= first + PART; i++)
		slot[i] = i; // race A
	return NULL;
}

int main(void)
{
	together(fill, fill);
	return 0;
}
