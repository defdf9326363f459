// flags: -fopenmp

/* Only half of the update is in the ordered region. */
#include <stdio.h>

static int last;

int main(void)
{
#pragma omp parallel for ordered num_threads(2) schedule(static, 1)
	for (int i = 0; i < 4; i++) {
		int before = last; // race A
#pragma omp ordered
		last = before + 1; // race A
	}
	printf("%d\n", last > 0);
	return 0;
}
