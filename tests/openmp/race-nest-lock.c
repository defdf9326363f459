// flags: -fopenmp

/* The thread unlocks too early. */
#include <omp.h>
#include <stdio.h>

static int count;
static omp_nest_lock_t lock;

int main(void)
{
	omp_init_nest_lock(&lock);
#pragma omp parallel num_threads(2)
	{
		omp_set_nest_lock(&lock);
		omp_set_nest_lock(&lock);
		omp_unset_nest_lock(&lock);
		omp_unset_nest_lock(&lock);
		count++; // race A
	}
	omp_destroy_nest_lock(&lock);
	printf("%d\n", count > 0);
	return 0;
}
