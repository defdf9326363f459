// flags: -fopenmp

/* Without the barrier no thread knows when the sum is complete. */
#include <omp.h>
#include <stdio.h>

static int seen;

int main(void)
{
	int sum = 0;

#pragma omp parallel num_threads(2)
	{
#pragma omp for reduction(+ : sum) nowait // race A
		for (int i = 0; i < 4; i++)
			sum += i;
		if (omp_get_thread_num() == 0)
			seen = sum; // race A
	}
	printf("%d %d\n", sum, seen >= 0);
	return 0;
}
