// flags: -fopenmp
// env: OMP_CANCELLATION=true

/* The first thread that finds it ends the search of all. */
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
