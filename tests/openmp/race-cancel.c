// flags: -fopenmp
// env: OMP_CANCELLATION=true

/* The result of the search is written plainly. */
#include <stdio.h>

static int found;

int main(void)
{
#pragma omp parallel num_threads(2)
	{
#pragma omp for schedule(static, 1)
		for (int i = 0; i < 6; i++) {
			if (i % 3 == 2) {
				found = i; // race A
#pragma omp cancel for
			}
		}
	}
	printf("%d\n", found > 0);
	return 0;
}
