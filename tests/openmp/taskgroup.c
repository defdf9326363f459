// flags: -fopenmp

/* The group waits for the tasks of its tasks, too. */
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
