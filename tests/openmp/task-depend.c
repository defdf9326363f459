// flags: -fopenmp

/* Tasks in a chain, with two readers between two writers. */
#include <stdio.h>

static int value, seen[2];

int main(void)
{
#pragma omp parallel
#pragma omp single
	{
#pragma omp task depend(out : value)
		value = 1;
#pragma omp task depend(in : value) depend(out : seen[0])
		seen[0] = value;
#pragma omp task depend(in : value) depend(out : seen[1])
		seen[1] = value;
#pragma omp task depend(inout : value)
		value = 2;
#pragma omp task depend(in : value, seen[0], seen[1])
		printf("%d %d %d\n", value, seen[0], seen[1]);
	}
	return 0;
}
