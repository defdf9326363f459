// flags: -fopenmp

/* Critical regions of the same name exclude each other; so do all regions without a name. */
#include <stdio.h>

static int named, unnamed;

int main(void)
{
#pragma omp parallel for
	for (int i = 0; i < 9; i++) {
#pragma omp critical(counter)
		named++;
#pragma omp critical
		unnamed += i;
	}
	printf("%d %d\n", named, unnamed);
	return 0;
}
