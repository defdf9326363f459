// flags: -fopenmp

/* An iteration reads what the next one writes. */
#include <stdio.h>

static int value[9];

int main(void)
{
#pragma omp parallel for num_threads(2)
	for (int i = 0; i < 8; i++)
		value[i] = value[i + 1] + 1; // race A
	printf("%d\n", value[0] > 0);
	return 0;
}
