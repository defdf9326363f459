// flags: -pthread

/* A parallel sum: each thread has its own slot, in the same cache line, and main adds them up after the joins. */
#include "../races/threads.h"

static int data[12] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, partial[3];

static void *add(void *n)
{
	for (int i = 0; i < 4; i++)
		partial[(long)n] += data[4 * (long)n + i];
	return NULL;
}

int main(void)
{
	together(add, add, add);
	return partial[0] + partial[1] + partial[2] != 78;
}
