// flags: -fopenmp

/* An iteration waits for the one before the one that it reads from. */
#include <stdio.h>

static int value[8] = {1, 1};

int main(void)
{
#pragma omp parallel for ordered(1) schedule(static, 1) num_threads(2)
	for (int i = 2; i < 8; i++) {
#pragma omp ordered depend(sink : i - 2)
		value[i] = value[i - 1] + 1; // race A
#pragma omp ordered depend(source)
	}
	printf("%d\n", value[7] > 0);
	return 0;
}
