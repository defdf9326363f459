// flags: -fopenmp

/* Each thread takes another lock. */
#include <omp.h>
#include <stdio.h>

static int count;
static omp_lock_t lock[2];

int main(void)
{
	omp_init_lock(&lock[0]);
	omp_init_lock(&lock[1]);
#pragma omp parallel num_threads(2)
	{
		omp_lock_t *own = &lock[omp_get_thread_num()];
		omp_set_lock(own);
		count++; // race A
		omp_unset_lock(own);
	}
	printf("%d\n", count > 0);
	return 0;
}
