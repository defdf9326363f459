// flags: -fopenmp

/* All threads count in one variable. */
#include <stdio.h>

static int count;

int main(void)
{
#pragma omp parallel for
	for (int i = 0; i < 8; i++)
		count++; // race A
	printf("%d\n", count > 0);
	return 0;
}
