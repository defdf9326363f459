// flags: -fopenmp

/* Two loops collapsed into one, and a vector loop inside. */
#include <stdio.h>

static int table[6][8];

int main(void)
{
	int sum = 0;

#pragma omp parallel for collapse(2) schedule(static, 5)
	for (int i = 0; i < 6; i++)
		for (int j = 0; j < 8; j++)
			table[i][j] = i + j;
#pragma omp parallel for simd reduction(+ : sum)
	for (int i = 0; i < 6; i++)
		sum += table[i][i];
	printf("%d\n", sum);
	return 0;
}
