// flags: -fopenmp

/* All threads share the scratch variable. */
#include <stdio.h>

static int scratch, result[4];

int main(void)
{
#pragma omp parallel for num_threads(2)
	for (int i = 0; i < 4; i++) {
		scratch = i * i; // race A B
		result[i] = scratch; // race A
	}
	printf("%d\n", result[3] >= 0);
	return 0;
}
