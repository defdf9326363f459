// flags: -fopenmp

/* Loops divided into tasks; each task has its copies, and later tasks reuse the memory. */
#include <stdio.h>

static int value[16];

int main(void)
{
	int offset = 3;

#pragma omp parallel
#pragma omp single
	{
		for (int round = 0; round < 3; round++) {
#pragma omp taskloop firstprivate(offset) grainsize(4)
			for (int i = 0; i < 16; i++)
				value[i] += i + offset;
		}
		for (int i = 0; i < 16; i++) {
#pragma omp task firstprivate(i)
			value[i] += i;
		}
	}
	printf("%d\n", value[15]);
	return 0;
}
