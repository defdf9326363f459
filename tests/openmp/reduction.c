// flags: -fopenmp

/* libomp combines the parts of the threads; the result is read in the region and after it. */
#include <stdio.h>

int main(void)
{
	int sum = 0, least = 100;

#pragma omp parallel
	{
#pragma omp for reduction(+ : sum) reduction(min : least)
		for (int i = 1; i <= 12; i++) {
			sum += i;
			least = i < least ? i : least;
		}
#pragma omp single
		printf("%d in the region\n", sum);
	}
	printf("%d %d\n", sum, least);
	return 0;
}
