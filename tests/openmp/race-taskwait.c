// flags: -fopenmp

/* Nobody waits for the task. */
#include <stdio.h>

static int value, seen;

int main(void)
{
#pragma omp parallel num_threads(2)
#pragma omp single
	{
#pragma omp task
		value = 1; // race A
		seen = value; // race A
	}
	printf("%d\n", value + seen > 0);
	return 0;
}
