// flags: -fopenmp

/* The owner may take the lock again; it is free after as many unlocks. */
#include <omp.h>
#include <stdio.h>

static int count;
static omp_nest_lock_t lock;

static void add(int depth)
{
	omp_set_nest_lock(&lock);
	count++;
	if (depth)
		add(depth - 1);
	count++;
	omp_unset_nest_lock(&lock);
}

int main(void)
{
	omp_init_nest_lock(&lock);
#pragma omp parallel num_threads(3)
	add(2);
	omp_destroy_nest_lock(&lock);
	printf("%d\n", count);
	return 0;
}
