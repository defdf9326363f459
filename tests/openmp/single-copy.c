// flags: -fopenmp

/* One thread finds a number and copies it to all; another writes what all read after the barrier. */
#include <stdio.h>

static int shared;

int main(void)
{
	int mine, sum = 0;

#pragma omp parallel private(mine) reduction(+ : sum)
	{
#pragma omp single copyprivate(mine)
		mine = 7;
#pragma omp single
		shared = mine;
		sum += shared;
	}
	printf("%d\n", sum % 7);
	return 0;
}
