// flags: -fopenmp

/* No barrier between two loops: one pair shares nothing, the other has the same static schedule. */
#include <stdio.h>

static int a[12], b[12], c[12];

int main(void)
{
#pragma omp parallel
	{
#pragma omp for schedule(static) nowait
		for (int i = 0; i < 12; i++)
			a[i] = i;
#pragma omp for schedule(dynamic) nowait
		for (int i = 0; i < 12; i++)
			b[i] = 2 * i;
#pragma omp for schedule(static)
		for (int i = 0; i < 12; i++)
			c[i] = a[i];
	}
	printf("%d %d %d\n", a[11], b[11], c[11]);
	return 0;
}
