// flags: -fopenmp

/* Each thread has its own elements, and all elements are read after the loop. */
#include <stdio.h>

int main(void)
{
	int square[20], sum = 0;

#pragma omp parallel for schedule(static)
	for (int i = 0; i < 20; i++)
		square[i] = i * i;
	for (int i = 0; i < 20; i++)
		sum += square[i];
	printf("%d\n", sum);
	return 0;
}
