// flags: -fopenmp

/* Two names are two locks. */
#include <omp.h>
#include <stdio.h>

static int count;

int main(void)
{
#pragma omp parallel num_threads(2)
	if (omp_get_thread_num() == 0) {
#pragma omp critical(one)
		count++; // race A
	} else {
#pragma omp critical(other)
		count--; // race A
	}
	printf("%d\n", count < 2);
	return 0;
}
