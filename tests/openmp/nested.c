// flags: -fopenmp

/* Teams inside a team: the results of the inner ones are read after their end. */
#include <omp.h>
#include <stdio.h>

static int value[2][2];

int main(void)
{
	int sum = 0;

	omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2) reduction(+ : sum)
	{
		int me = omp_get_thread_num();
#pragma omp parallel num_threads(2)
		value[me][omp_get_thread_num()] = me + 1;
		sum += value[me][0] + value[me][omp_get_max_active_levels() - 1];
	}
	printf("%d\n", sum);
	return 0;
}
