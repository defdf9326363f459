// flags: -fopenmp

/* Tasks add to one sum, each thread to its own part. */
#include <stdio.h>

int main(void)
{
	int sum = 0;

#pragma omp parallel
#pragma omp single
	{
#pragma omp taskgroup task_reduction(+ : sum)
		for (int i = 1; i <= 6; i++) {
#pragma omp task in_reduction(+ : sum) firstprivate(i)
			sum += i;
		}
		printf("%d\n", sum);
	}
	return 0;
}
