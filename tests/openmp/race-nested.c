// flags: -fopenmp

/* The inner teams of two threads share a counter. */
#include <omp.h>
#include <stdio.h>

static int count;

int main(void)
{
	omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
	{
#pragma omp parallel num_threads(2)
		count++; // race A
	}
	printf("%d\n", count > 0);
	return 0;
}
