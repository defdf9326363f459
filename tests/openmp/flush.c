// flags: -fopenmp

/* A flag with atomic accesses, and flushes that order the data. */
#include <omp.h>
#include <stdio.h>

static int data, flag;

int main(void)
{
#pragma omp parallel num_threads(2)
	{
		if (omp_get_thread_num() == 0) {
			data = 42;
#pragma omp flush
#pragma omp atomic write
			flag = 1;
		} else {
			int seen = 0;
			while (!seen) {
#pragma omp atomic read
				seen = flag;
			}
#pragma omp flush
			printf("%d\n", data);
		}
	}
	return 0;
}
