// flags: -fopenmp

/* Copies that begin with a value, and one that ends with the last iteration's value. */
#include <stdio.h>

int main(void)
{
	int base = 10, last = 0, scratch;

#pragma omp parallel for firstprivate(base) lastprivate(last) private(scratch)
	for (int i = 0; i < 9; i++) {
		scratch = base + i;
		last = scratch;
	}
	printf("%d\n", last);
	return 0;
}
