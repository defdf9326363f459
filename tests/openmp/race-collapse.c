// flags: -fopenmp

/* The sum of a row belongs to all iterations of the row, and these belong to several threads. */
#include <stdio.h>

static int sum[2];

int main(void)
{
#pragma omp parallel for collapse(2) schedule(static, 1) num_threads(2)
	for (int i = 0; i < 2; i++)
		for (int j = 0; j < 4; j++)
			sum[i] += j; // race A
	printf("%d\n", sum[0] >= 0);
	return 0;
}
