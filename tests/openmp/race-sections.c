// flags: -fopenmp

/* Two sections write the same variable. */
#include <stdio.h>

static int last;

int main(void)
{
#pragma omp parallel sections num_threads(2)
	{
#pragma omp section
		last = 1; // race A
#pragma omp section
		last = 2; // race A
	}
	printf("%d\n", last > 0);
	return 0;
}
