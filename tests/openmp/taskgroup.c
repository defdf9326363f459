// flags: -fopenmp

/* The group also waits for the tasks that its tasks create. */
#include <stdio.h>

static int outer, inner;

int main(void)
{
#pragma omp parallel
#pragma omp single
	{
#pragma omp taskgroup
		{
#pragma omp task
			{
#pragma omp task
				inner = 2;
				outer = 1;
			}
		}
		printf("%d\n", outer + inner);
	}
	return 0;
}
