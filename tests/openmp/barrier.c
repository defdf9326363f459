// flags: -fopenmp

/* Each thread writes before the barrier, and its neighbour reads after it, round by round. */
#include <omp.h>
#include <stdio.h>

static int slot[2][4];

int main(void)
{
	int sum = 0;

#pragma omp parallel num_threads(3) reduction(+ : sum)
	{
		int me = omp_get_thread_num(), neighbour = (me + 1) % omp_get_num_threads();
		for (int round = 0; round < 3; round++) {
			slot[round % 2][me] = round + me;
#pragma omp barrier
			sum += slot[round % 2][neighbour];
		}
	}
	printf("%d\n", sum);
	return 0;
}
