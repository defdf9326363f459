// flags: -fopenmp

/* A taskwait waits for child tasks, but not for their children. */
#include <stdio.h>

static int inner, seen;

int main(void)
{
#pragma omp parallel num_threads(3)
#pragma omp single
	{
#pragma omp task
		{
#pragma omp task
			inner = 2; // race A
		}
#pragma omp taskwait
		seen = inner; // race A
	}
	printf("%d\n", inner + seen > 0);
	return 0;
}
