// flags: -fopenmp

/* Each section writes its own variable; after the sections one thread reads all. */
#include <stdio.h>

static int left, middle, right;

int main(void)
{
#pragma omp parallel
	{
#pragma omp sections
		{
#pragma omp section
			left = 1;
#pragma omp section
			middle = 2;
#pragma omp section
			right = 3;
		}
#pragma omp single
		printf("%d\n", left + middle + right);
	}
	return 0;
}
