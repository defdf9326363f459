// flags: -fopenmp

/* The second task does not declare what it reads. */
#include <stdio.h>

static int value, seen;

int main(void)
{
#pragma omp parallel num_threads(2)
#pragma omp single
	{
#pragma omp task depend(out : value)
		value = 1; // race A
#pragma omp task depend(out : seen)
		seen = value; // race A
	}
	printf("%d\n", value + seen > 0);
	return 0;
}
