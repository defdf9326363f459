// flags: -fopenmp

/* In an ordered region the iterations come one after the other. */
#include <stdio.h>

static int last = -1, wrong;

int main(void)
{
#pragma omp parallel for ordered schedule(dynamic)
	for (int i = 0; i < 8; i++) {
#pragma omp ordered
		{
			wrong += last != i - 1;
			last = i;
		}
	}
	printf("%d %d\n", last, wrong);
	return 0;
}
