// flags: -fopenmp

/* The first thread writes, and an explicit barrier lets the others read: master has none. */
#include <stdio.h>

static int ready;

int main(void)
{
	int sum = 0;

#pragma omp parallel reduction(+ : sum)
	{
#pragma omp master
		ready = 5;
#pragma omp barrier
		sum += ready;
	}
	printf("%d\n", sum % 5);
	return 0;
}
