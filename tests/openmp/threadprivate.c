// flags: -fopenmp

/* Each thread has its own copy, and still has it in the next region. */
#include <omp.h>
#include <stdio.h>

static int own = 1;
#pragma omp threadprivate(own)

int main(void)
{
	int sum = 0;

#pragma omp parallel num_threads(3) copyin(own)
	own += omp_get_thread_num();
#pragma omp parallel num_threads(3) reduction(+ : sum)
	sum += own;
	printf("%d\n", sum);
	return 0;
}
