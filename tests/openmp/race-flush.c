// flags: -fopenmp

/* A flush orders nothing if the flag is not atomic. */
#include <omp.h>
#include <stdio.h>

static int data, flag;

int main(void)
{
#pragma omp parallel num_threads(2)
	if (omp_get_thread_num() == 0) {
		data = 42; // race A
#pragma omp flush
		flag = 1; // race B
	} else {
		int seen = flag; // race B
#pragma omp flush
		printf("%d\n", seen && data < 42); // race A
	}
	return 0;
}
