// flags: -pthread
// race A: verdict=k-witness-harmless pattern=approximate-counter

/* A table counts its look-ups; the count is for a debugger, and one more or less does not matter. */
#include <stdio.h>

#include "../races/threads.h"

static const int squares[] = {0, 1, 4, 9};
static unsigned long asked;
static int sum[2];

static int square(int n)
{
	asked++; // race A
	return squares[n];
}

static void *work(void *n)
{
	for (int i = 0; i < 4; i++)
		sum[(long)n] += square(i);
	return NULL;
}

int main(void)
{
	together(work, work);
	printf("%d %d\n", sum[0], sum[1]);
	return 0;
}
