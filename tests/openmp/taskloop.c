// flags: -fopenmp

/* Loops made of tasks; each has copies of its own, and its memory is used again by later ones. */
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
