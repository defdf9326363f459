// flags: -fopenmp
// env: OMP_CANCELLATION=true

/* Whoever finds it first ends the search of all. */
#include <stdio.h>

static int found;

int main(void)
{
#pragma omp parallel
	{
#pragma omp for
		for (int i = 0; i < 30; i++) {
			if (i == 17) {
#pragma omp atomic write
				found = i;
#pragma omp cancel for
			}
#pragma omp cancellation point for
		}
	}
	printf("%d\n", found);
	return 0;
}
