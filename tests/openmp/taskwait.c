// flags: -fopenmp

/* Tasks create tasks: each waits for its own. */
#include <stdio.h>

static int fibonacci(int n)
{
	int a, b;

	if (n < 2)
		return n;
#pragma omp task shared(a)
	a = fibonacci(n - 1);
#pragma omp task shared(b)
	b = fibonacci(n - 2);
#pragma omp taskwait
	return a + b;
}

int main(void)
{
	int result;

#pragma omp parallel
#pragma omp single
	result = fibonacci(6);
	printf("%d\n", result);
	return 0;
}
