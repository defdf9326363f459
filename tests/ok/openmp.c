// before: gcc -O1 -g -fopenmp -c $SRC/parts/openmp.c -o openmp.o
// flags: -pthread openmp.o -lgomp

/* OpenMP's libgomp synchronises by raw futexes and spinning; the parallel code is compiled by gcc, as users have it. */
#include "must.h"

int sum_of_squares(int n);
int in_critical(int n);
int by_atomic(int n);
int through_barrier(int threads);
int by_tasks(int n);
int in_sections(void);

int main(void)
{
	printf("reduction %d\n", sum_of_squares(100));
	printf("critical %d\n", in_critical(50));
	printf("atomic %d\n", by_atomic(50));
	printf("barrier %d\n", through_barrier(4));
	printf("tasks %d\n", by_tasks(10));
	printf("sections %d\n", in_sections());
	puts("ok");
	return 0;
}
