// flags: -fopenmp

/* While other threads run, all accesses are atomic: read, write, update and capture. */
#include <stdio.h>

static int next, last;

int main(void)
{
#pragma omp parallel
	for (int i = 0; i < 3; i++) {
		int mine, seen;
#pragma omp atomic capture
		mine = next++;
#pragma omp atomic write
		last = mine;
#pragma omp atomic read
		seen = last;
#pragma omp atomic
		next += seen < 0;
	}
	printf("%d\n", next);
	return 0;
}
