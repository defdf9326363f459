/* The parallel half of openmp.c. */
#include <omp.h>

int sum_of_squares(int n)
{
	int sum = 0;
#pragma omp parallel for reduction(+ : sum) num_threads(4) schedule(dynamic, 3)
	for (int i = 1; i <= n; i++)
		sum += i * i;
	return sum;
}

int in_critical(int n)
{
	int count = 0;
#pragma omp parallel for num_threads(4)
	for (int i = 0; i < n; i++)
#pragma omp critical
		count++;
	return count;
}

int by_atomic(int n)
{
	int count = 0;
#pragma omp parallel for num_threads(3) schedule(guided)
	for (int i = 0; i < n; i++)
#pragma omp atomic
		count += 2;
	return count;
}

/* Everybody's mark of the first phase is visible to everybody in the second. */
int through_barrier(int threads)
{
	int mark[8] = {0}, seen = 0;
#pragma omp parallel num_threads(threads)
	{
		mark[omp_get_thread_num()] = 1;
#pragma omp barrier
		int sum = 0;
		for (int i = 0; i < omp_get_num_threads(); i++)
			sum += mark[i];
#pragma omp atomic
		seen += sum;
#pragma omp single
		seen += 100;
	}
	return seen;
}

static int fibonacci(int n)
{
	int a, b;

	if (n < 2)
		return n;
#pragma omp task shared(a) if (n > 5)
	a = fibonacci(n - 1);
#pragma omp task shared(b) if (n > 5)
	b = fibonacci(n - 2);
#pragma omp taskwait
	return a + b;
}

int by_tasks(int n)
{
	int result = 0;
#pragma omp parallel num_threads(3)
#pragma omp single
	result = fibonacci(n);
	return result;
}

int in_sections(void)
{
	int a = 0, b = 0;
#pragma omp parallel sections num_threads(2)
	{
#pragma omp section
		a = 1;
#pragma omp section
		b = 2;
	}
	return a + b;
}
