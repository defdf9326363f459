// flags: -fopenmp

/* Atomic writes, plain reads. */
#include <stdio.h>

static int level, seen[2];

int main(void)
{
#pragma omp parallel sections num_threads(2)
	{
#pragma omp section
		{
#pragma omp atomic write
			level = 3; // race A
		}
#pragma omp section
		seen[0] = level; // race A
	}
	printf("%d\n", level + seen[0] > 0);
	return 0;
}
