// flags: -fopenmp

/* One read of the counter is outside the critical region. */
#include <stdio.h>

static int count, seen[4];

int main(void)
{
#pragma omp parallel for num_threads(2)
	for (int i = 0; i < 4; i++) {
#pragma omp critical
		count++; // race A
		seen[i] = count; // race A
	}
	printf("%d %d\n", count, seen[3] > 0);
	return 0;
}
