// flags: -fopenmp

/* A lock of the program, taken by set and by test. */
#include <omp.h>
#include <stdio.h>

static int count;
static omp_lock_t lock;

int main(void)
{
	omp_init_lock(&lock);
#pragma omp parallel
	{
		omp_set_lock(&lock);
		count++;
		omp_unset_lock(&lock);
		if (omp_test_lock(&lock)) {
			count += 0;
			omp_unset_lock(&lock);
		}
	}
	omp_destroy_lock(&lock);
	printf("%d\n", count > 0);
	return 0;
}
