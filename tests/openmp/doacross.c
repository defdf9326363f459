// flags: -fopenmp

/* Each iteration waits, at one point in it, for the iteration before. */
#include <stdio.h>

static int value[10] = {1};

int main(void)
{
#pragma omp parallel for ordered(1) schedule(static, 1)
	for (int i = 1; i < 10; i++) {
#pragma omp ordered depend(sink : i - 1)
		value[i] = value[i - 1] + 1;
#pragma omp ordered depend(source)
	}
	printf("%d\n", value[9]);
	return 0;
}
