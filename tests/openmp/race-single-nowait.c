// flags: -fopenmp

/* The threads that do not write continue at once. */
#include <stdio.h>

static int ready, seen;

int main(void)
{
#pragma omp parallel num_threads(2) reduction(+ : seen)
	{
#pragma omp single nowait
		ready = 5; // race A
		seen += ready; // race A
	}
	printf("%d\n", seen >= 5);
	return 0;
}
