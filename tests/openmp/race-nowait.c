// flags: -fopenmp

/* The second loop reads what other threads wrote in the first. */
#include <stdio.h>

static int a[6], b[6];

int main(void)
{
#pragma omp parallel num_threads(2)
	{
#pragma omp for schedule(static) nowait
		for (int i = 0; i < 6; i++)
			a[i] = i; // race A
#pragma omp for schedule(static)
		for (int i = 0; i < 6; i++)
			b[i] = a[5 - i]; // race A
	}
	printf("%d\n", b[0] + b[5] >= 0);
	return 0;
}
