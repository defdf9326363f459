// before: gcc -O1 -g -fopenmp -c $SRC/../ok/parts/openmp.c -o openmp.o
// flags: -pthread openmp.o -lgomp

/* Parallel OpenMP code, compiled by gcc; instrumented code reads its results. */
int sum_of_squares(int n);
int in_critical(int n);
int through_barrier(int threads);

static int result[3];

int main(void)
{
	result[0] = sum_of_squares(20);
	result[1] = in_critical(8);
	result[2] = through_barrier(3);
	return result[0] != 2870 || result[1] != 8 || result[2] != 109;
}
